//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inFolder runs a command in a folder, and returns its output.
func inFolder(t *testing.T, dir string, args ...string) string {
	t.Helper()
	r := turnwire(t, "", append(args, "-C", dir)...)
	require.Zero(t, r.code, "%v: %s", args, r.stderr)
	return r.stdout
}

// ids returns the ids of a folder's sessions, newest first.
func ids(t *testing.T, dir string) (ids []string) {
	t.Helper()
	var list []struct {
		ID string `json:"sessionId"`
	}
	require.NoError(t, json.Unmarshal([]byte(inFolder(t, dir, "sessions", "--json")), &list))
	for _, s := range list {
		ids = append(ids, s.ID)
	}
	return ids
}

func TestARunGoesOnWithASession(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	require.Equal(t, "turnwire: open a session: this agent has no session in "+dir+" to continue\n",
		turnwire(t, "", "run", "-C", dir, "--continue", "/say one").stderr)
	inFolder(t, dir, "run", "/say one")
	inFolder(t, dir, "run", "/say two")
	sessions := ids(t, dir)
	require.Len(t, sessions, 2)
	older := sessions[1]
	require.Contains(t, inFolder(t, dir, "run", "--continue", "/say three"), "three")
	require.Equal(t, sessions[0], ids(t, dir)[0])

	// The prompt runs in the session's folder.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "here.txt"), []byte("found"), 0o600))
	r := turnwire(t, "", "run", "--resume", older, "/read here.txt")
	require.Zero(t, r.code, r.stderr)
	require.Equal(t, older, ids(t, dir)[0])
	require.Len(t, ids(t, dir), 2)
	shown := turnwire(t, "", "sessions", "show", older)
	require.Regexp(t, `(?s)^> /say one\n.*one\n.*> /read here\.txt\n`, shown.stdout)

	for args, why := range map[string]string{
		"--resume tw-nobody hello":                `unknown session "tw-nobody"`,
		"--agent workspace --resume nobody hello": `unknown session "nobody"`,
		"--resume " + older + " hello -- cat":     "belongs to the agent workspace, not cat:",
		"--no-journal --continue hello":           "the agent's sessions are not saved",
	} {
		r := turnwire(t, "", append([]string{"run"}, strings.Fields(args)...)...)
		require.Equal(t, 1, r.code, args)
		require.Contains(t, r.stderr, why)
	}
	require.Equal(t, 2, turnwire(t, "", "run", "--continue", "--resume", older, "hello").code)
}

func TestARunDoesNotGoOnWithASessionOfAnotherProcess(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	e := launch(t, options{})
	s := e.open(dir)
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "/say hello")))
	for _, args := range [][]string{
		{"run", "-C", dir, "--continue", "/say x"},
		{"run", "--resume", s, "/say x"},
		{"sessions", "delete", "--yes", s},
		{"sessions", "rename", s, "mine"},
	} {
		r := turnwire(t, "", args...)
		require.Equal(t, 1, r.code, args)
		require.Regexp(t, `the session `+s+` is open in process \d+`, r.stderr)
	}
	require.Contains(t, turnwire(t, "", "sessions", "show", s).stdout, "> /say hello")
}

func TestTheTurnsOfASessionAreReplayed(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	inFolder(t, dir, "run", "/say one")
	inFolder(t, dir, "run", "--continue", "/say two")
	session := ids(t, dir)[0]
	e := launch(t, options{args: []string{"acp", "--replay", session[:8]}})
	s := e.open(t.TempDir())
	for range 3 {
		require.Equal(t, "end_turn", e.stops(e.prompt(s, "again")))
	}
	require.Regexp(t, `(?s)one.*two.*one`, e.text())

	// A file takes precedence over a session.
	file := filepath.Join(dir, session)
	require.NoError(t, os.WriteFile(file, []byte(`{"type":"text_delta","text":"of the file"}`+"\n"), 0o600))
	require.Contains(t, turnwire(t, "", "run", "--replay", file, "hello").stdout, "of the file")
	r := turnwire(t, "", "run", "--replay", "tw-nobody", "hello")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "tw-nobody: no such file or directory, and no session ID starts with it")
}
