//go:build unix

package e2e

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPromptIncludesItsAttachments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	self, err := os.Executable()
	require.NoError(t, err)
	pixel, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	require.NoError(t, err)
	note, image, binary := write("note.txt", "a note"), write("a.png", string(pixel)), write("x.bin", "\xff\xfe")
	for name, c := range map[string]struct {
		args        []string
		stdin, want string
		code        int
		err         string
	}{
		"piped in":     {[]string{"review"}, "a diff", "text=review;resource=a diff;", 0, ""},
		"nothing":      {[]string{"review"}, "", "text=review;", 0, ""},
		"asked for":    {[]string{"review", "-"}, "a diff", "text=review;resource=a diff;", 0, ""},
		"the prompt":   {[]string{"-"}, "a prompt", "text=a prompt;", 0, ""},
		"a file":       {[]string{"--attach", note, "x"}, "", "text=x;resource=a note;", 0, ""},
		"not a text":   {[]string{"--attach", binary, "x"}, "", "text=x;resource_link=file://" + filepath.ToSlash(binary) + ";", 0, ""},
		"a folder":     {[]string{"--attach", dir, "x"}, "", "text=x;resource_link=file://" + filepath.ToSlash(dir) + ";", 0, ""},
		"no such file": {[]string{"--attach", filepath.Join(dir, "none"), "x"}, "", "", 1, "--attach: "},
		"an image":     {[]string{"--image", image, "x"}, "", "text=x;image=image/png;", 0, ""},
		"no image":     {[]string{"--image", note, "x"}, "", "", 1, "is not a supported image"},
		"two prompts":  {[]string{"x", "y"}, "", "", 2, "only one prompt is allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append(append([]string{"run", "--quiet", "--cwd", dir}, c.args...), "--", self, agentArgument, "repeating")
			r := turnwire(t, c.stdin, args...)
			require.Equal(t, c.code, r.code, r.stderr)
			require.Equal(t, c.want, strings.TrimRight(r.stdout, "\n"), r.stderr)
			require.Contains(t, r.stderr, c.err)
		})
	}
}

func TestARunIsRecordedAndReplayed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "turn.jsonl")
	for _, extra := range [][]string{nil, {"--no-journal"}} {
		args := append([]string{"run", "--cwd", dir, "--record", file, "--json"}, append(extra, "/say hello; /ask What?")...)
		r := turnwire(t, "", args...)
		require.Zero(t, r.code, r.stderr)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
		var last struct {
			Result struct{ SessionID, StopReason string }
		}
		require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &last))
		require.Equal(t, "end_turn", last.Result.StopReason)
		require.NotEmpty(t, last.Result.SessionID)
		recorded, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(recorded), `"text":"hello`)
		r = turnwire(t, "", "run", "--quiet", "--replay", file, "x")
		require.Zero(t, r.code, r.stderr)
		require.Contains(t, r.stdout, "hello")
		require.NoError(t, os.Remove(file))
	}
}

func TestRulesAllowWithoutATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.json")
	require.NoError(t, os.WriteFile(policy, []byte(`{"rules": [{"deny": "edit:b.*"}, {"allow": "edit:*.txt"}], "default": "deny"}`), 0o600))
	for name, allowed := range map[string]bool{"a.txt": true, "b.txt": false, "c.go": false} {
		r := turnwire(t, "", "run", "--quiet", "--cwd", dir, "--policy", policy, "/write "+name+" text")
		require.Zero(t, r.code, r.stderr)
		_, err := os.Stat(filepath.Join(dir, name))
		require.Equal(t, allowed, err == nil, name)
		require.Equal(t, !allowed, strings.Contains(r.stderr, "denied by a rule"), r.stderr)
	}
}
