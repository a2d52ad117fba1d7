package journal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// aged sets the time of a session's last change.
func aged(t *testing.T, f *journal.Folder, id string, at time.Time) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(f.Path(), "*", id+".jsonl"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Chtimes(files[0], at, at))
}

func ids(t *testing.T, f *journal.Folder, q journal.Filter) (all []string) {
	t.Helper()
	for {
		page, err := f.List(q)
		require.NoError(t, err)
		for _, s := range page.Sessions {
			all = append(all, s.ID)
		}
		if page.Next == "" {
			return all
		}
		require.Len(t, page.Sessions, q.Limit)
		q.Cursor = page.Next
	}
}

// Several sessions may have changed at the same time.
func TestSessionsAreListedByTheirLastChange(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	now := time.Now().Truncate(time.Second)
	var newest []string
	for i := range 25 {
		id := fmt.Sprintf("s%02d", i)
		keep(t, f, journal.Header{ID: id, Cwd: "/"}, 1)
		aged(t, f, id, now.Add(-time.Duration(i/3)*time.Second))
		newest = append(newest, id)
	}
	for _, limit := range []int{1, 2, 3, 7, 25, 100} {
		got := ids(t, f, journal.Filter{Limit: limit})
		require.Len(t, got, 25)
		require.ElementsMatch(t, newest, got)
		for i, id := range got {
			number, err := strconv.Atoi(id[1:])
			require.NoError(t, err)
			require.Equal(t, i/3, number/3, "%s at %d", id, i)
		}
	}
}

func TestOldSessionsAreDeleted(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		retention journal.Retention
		left      []string
	}{
		"nothing is said": {journal.Retention{}, []string{"a", "b", "c", "open"}},
		"by age":          {journal.Retention{Age: 36 * time.Hour}, []string{"a", "b", "open"}},
		"by size":         {journal.Retention{Bytes: 300}, []string{"a", "open"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := journal.NewFolder(t.TempDir())
			for i, id := range []string{"a", "b", "c"} {
				keep(t, f, journal.Header{ID: id, Cwd: "/"}, 3)
				aged(t, f, id, now.Add(-time.Duration(i)*24*time.Hour))
			}
			j, err := f.Create(journal.Header{ID: "open", Cwd: "/"})
			require.NoError(t, err)
			add(t, j, 1)
			aged(t, f, "open", now.Add(-1000*time.Hour))
			_, err = f.Prune(c.retention, now)
			require.NoError(t, err)
			require.ElementsMatch(t, c.left, ids(t, f, journal.Filter{}))
			require.NoError(t, j.Close())
		})
	}
}

func BenchmarkListOf10000(b *testing.B) {
	f := journal.NewFolder(b.TempDir())
	for i := range 10_000 {
		j, err := f.Create(journal.Header{ID: fmt.Sprintf("s%d", i), Agent: "tea", Cwd: fmt.Sprintf("/project%d", i%20)})
		require.NoError(b, err)
		require.NoError(b, j.Append(1, []journal.Record{{Type: journal.TypePrompt, Data: []byte(`{"text":"hello"}`)}}))
		require.NoError(b, j.Close())
	}
	for name, q := range map[string]journal.Filter{"all": {}, "one folder": {Agent: "tea", Cwd: "/project3"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				page, err := f.List(q)
				require.NoError(b, err)
				require.Len(b, page.Sessions, journal.DefaultLimit)
			}
		})
	}
}

// The clock may have been set back: sessions that seem to come from the future count as
// new.
func TestSessionsOfTheFutureAreKept(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	now := time.Now()
	for i, id := range []string{"tomorrow", "today"} {
		keep(t, f, journal.Header{ID: id, Cwd: "/"}, 1)
		aged(t, f, id, now.Add(time.Duration(1-i)*24*time.Hour))
	}
	deleted, err := f.Prune(journal.Retention{Age: time.Hour, Bytes: 1 << 20}, now)
	require.NoError(t, err)
	require.Zero(t, deleted)
	require.Equal(t, []string{"tomorrow", "today"}, ids(t, f, journal.Filter{}))
}

func TestTenThousandSessionsAreListed(t *testing.T) {
	const sessions, folders = 10_000, 20
	f := journal.NewFolder(t.TempDir())
	began := time.Now().Truncate(time.Second).Add(-sessions * time.Second)
	for folder := range folders {
		j, err := f.Create(journal.Header{ID: "model", Agent: "tea", Cwd: fmt.Sprintf("/project%d", folder)})
		require.NoError(t, err)
		require.NoError(t, j.Append(1, []journal.Record{{Type: journal.TypePrompt, Data: []byte(`{"text":"hello model"}`)}}))
		require.NoError(t, j.Close())
		files, err := filepath.Glob(filepath.Join(f.Path(), "*", "model.jsonl"))
		require.NoError(t, err)
		require.Len(t, files, 1)
		model, err := os.ReadFile(files[0])
		require.NoError(t, err)
		for i := folder; i < sessions; i += folders {
			id := fmt.Sprintf("s%d", i)
			file, at := filepath.Join(filepath.Dir(files[0]), id+".jsonl"), began.Add(time.Duration(i)*time.Second)
			require.NoError(t, os.WriteFile(file, bytes.ReplaceAll(model, []byte("model"), []byte(id)), 0o600))
			require.NoError(t, os.Chtimes(file, at, at))
		}
		require.NoError(t, f.Delete("model"))
	}
	all := ids(t, f, journal.Filter{Limit: 500})
	require.Len(t, all, sessions)
	for i, id := range all {
		require.Equal(t, fmt.Sprintf("s%d", sessions-1-i), id, "the newest is the first, and each is there once")
	}
	page, err := f.List(journal.Filter{Cwd: "/project3", Agent: "tea"})
	require.NoError(t, err)
	require.Len(t, page.Sessions, journal.DefaultLimit)
	for i, s := range page.Sessions {
		n := sessions - folders + 3 - i*folders
		require.Equal(t, fmt.Sprintf("s%d", n), s.ID)
		require.Equal(t, fmt.Sprintf("hello s%d", n), s.Title)
	}
	require.Len(t, ids(t, f, journal.Filter{Cwd: "/project3", Limit: 100}), sessions/folders)
}
