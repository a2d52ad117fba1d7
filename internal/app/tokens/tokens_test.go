package tokens_test

import (
	"bytes"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/tokens"
)

func TestATokenOpensUntilItIsRevoked(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "state")
	store := tokens.Open(folder)
	known := store.Known(slog.New(slog.DiscardHandler))
	_, ok := known.Find("tw_x")
	require.False(t, ok, "there are none")
	_, ok = known.Find("")
	require.False(t, ok)

	laptop, err := store.Create("laptop", 0)
	require.NoError(t, err)
	require.Regexp(t, `^tw_[A-Za-z0-9_-]{43}$`, laptop)
	ci, err := store.Create("ci", time.Hour)
	require.NoError(t, err)
	require.NotEqual(t, laptop, ci)
	for text, want := range map[string]string{laptop: "laptop", ci: "ci", laptop + "x": "", laptop[:20]: "", "": "", strings.ToUpper(ci): ""} {
		name, ok := known.Find(text)
		require.Equal(t, want, name, text)
		require.Equal(t, want != "", ok)
	}
	require.ErrorIs(t, store.Revoke("ci", "nobody"), tokens.ErrUnknown)
	_, ok = known.Find(ci)
	require.True(t, ok, "all, or none")
	require.NoError(t, store.Revoke("laptop"))
	_, ok = known.Find(laptop)
	require.False(t, ok, "a server that runs knows")
	again, err := store.Create("laptop", 0)
	require.NoError(t, err)
	_, ok = known.Find(laptop)
	require.False(t, ok, "the same name is another token")
	name, _ := known.Find(again)
	require.Equal(t, "laptop", name)
}

func TestATokenExpires(t *testing.T) {
	store := tokens.Open(t.TempDir())
	text, err := store.Create("short", time.Nanosecond)
	require.NoError(t, err)
	_, ok := store.Known(slog.New(slog.DiscardHandler)).Find(text)
	require.False(t, ok)
	all, err := store.List()
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.True(t, all[0].Expired(time.Now()))
}

func TestATokenMayBeForWatching(t *testing.T) {
	folder := t.TempDir()
	store := tokens.Open(folder)
	text, err := store.CreateWatching("wall", 0)
	require.NoError(t, err)
	_, err = store.Create("desk", 0)
	require.NoError(t, err)
	known := tokens.Open(folder).Known(slog.New(slog.DiscardHandler))
	name, ok := known.Find(text)
	require.True(t, ok)
	require.Equal(t, "wall", name)
	require.True(t, known.Watches("wall"))
	require.False(t, known.Watches("desk"))
	require.False(t, known.Watches(""))
}

func TestNamesAreUniqueAndPlain(t *testing.T) {
	store := tokens.Open(t.TempDir())
	_, err := store.Create("a", 0)
	require.NoError(t, err)
	_, err = store.Create("a", 0)
	require.ErrorIs(t, err, tokens.ErrTaken)
	for _, name := range []string{"", " ", "-a", "a b", "a\n", "a\x1b[2J", "ä", strings.Repeat("a", 65)} {
		_, err := store.Create(name, 0)
		require.ErrorIs(t, err, tokens.ErrName, "%q", name)
	}
}

func TestTheFileHasHashesAndIsForItsOwnerOnly(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "tokens.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"tokens":[]}`), 0o644)) //nolint:gosec // this is what must not stay so
	text, err := tokens.Open(folder).Create("a", 0)
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(content), text)
	require.NotContains(t, string(content), text[3:])
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	}
}

// A file that can't be read admits nobody, and is not replaced by an empty one.
func TestADamagedFileAdmitsNobody(t *testing.T) {
	folder := t.TempDir()
	store := tokens.Open(folder)
	text, err := store.Create("a", 0)
	require.NoError(t, err)
	var log bytes.Buffer
	known := store.Known(slog.New(slog.NewTextHandler(&log, nil)))
	_, ok := known.Find(text)
	require.True(t, ok)
	path := filepath.Join(folder, "tokens.json")
	for _, damaged := range []string{"{", `{"tokens":[{"name":"a","hash":""}]}`, `{"tokens":[{"name":"\u001b","hash":"` + strings.Repeat("0", 64) + `"}]}`, strings.Repeat(" ", 300<<10)} {
		require.NoError(t, os.WriteFile(path, []byte(damaged), 0o600))
		_, ok = known.Find(text)
		require.False(t, ok)
		_, err = store.Create("b", 0)
		require.Error(t, err)
		require.ErrorContains(t, store.Revoke("a"), "tokens.json")
	}
	require.Contains(t, log.String(), "all are rejected")
	require.NoError(t, os.WriteFile(path, nil, 0o600)) // the first write was interrupted
	_, err = store.Create("b", 0)
	require.NoError(t, err)
}

func TestTwoProgramsLoseNothing(t *testing.T) {
	folder := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, err := tokens.Open(folder).Create("t"+string(rune('a'+i)), 0)
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := tokens.Open(folder).List()
	require.NoError(t, err)
	require.Len(t, list, 20)
}
