package audit_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/audit"
	"github.com/turnwire/turnwire/internal/bridge/consent"
)

func decision(call string) consent.Decision {
	c := consent.Call{Agent: "a", Session: "s", Dir: "/w", ID: call, Kind: "edit", Paths: []string{"/w/x"}}
	return consent.Of(c, time.Unix(1e9, 0)).Ruled(consent.Ruling{Verdict: consent.Allow, Rule: "allow edit", At: "f:1"}, consent.Option{ID: "1", Kind: "allow_once"})
}

func TestLinesAreAdded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "audit.jsonl")
	f := &audit.File{Path: path, Log: slog.New(slog.DiscardHandler)}
	f.Note(decision("c1"))
	f.Note(decision("c2"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `{"time":"2001-09-09T01:46:40Z","session":"s","agent":"a","cwd":"/w","toolCallId":"c1","kind":"edit","paths":["/w/x"],"verdict":"allow","option":"allow_once","optionId":"1","by":"rule","rule":"allow edit","at":"f:1"}`,
		strings.SplitN(string(text), "\n", 2)[0])
	require.NoError(t, os.Rename(path, path+".1"))
	f.Note(decision("c3"))
	require.Equal(t, []string{"c3"}, calls(t, path))
	require.Equal(t, []string{"c1", "c2"}, calls(t, path+".1"))
}

func TestManyWritersLeaveLinesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var all sync.WaitGroup
	for range 8 {
		f := &audit.File{Path: path, Log: slog.New(slog.DiscardHandler)}
		all.Go(func() {
			for range 100 {
				d := decision(strings.Repeat("c", 900))
				d.Command = strings.Repeat("x", 20_000)
				f.Note(d)
			}
		})
	}
	all.Wait()
	require.Len(t, calls(t, path), 800)
}

func TestInvalidLinesAreReportedAndSkipped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	long := `{"verdict":"` + strings.Repeat("x", 5<<20) + `"}`
	require.NoError(t, os.WriteFile(path, []byte("nonsense\n"+string(decision("c1").Line())+"\n{}\n"+long+"\n"+string(decision("c2").Line())), 0o600))
	var got, wrong []string
	for d, err := range audit.Read(path) {
		if err != nil {
			wrong = append(wrong, strings.TrimPrefix(err.Error(), path))
			continue
		}
		got = append(got, d.Call)
	}
	require.Equal(t, []string{"c1", "c2"}, got)
	require.Equal(t, []string{":1: not a decision", ":3: not a decision", ":4: not a decision"}, wrong)
	require.Empty(t, calls(t, path+".none"))
}

func calls(t *testing.T, path string) (ids []string) {
	t.Helper()
	for d, err := range audit.Read(path) {
		require.NoError(t, err)
		ids = append(ids, d.Call)
	}
	return ids
}
