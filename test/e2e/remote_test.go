//go:build unix

package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// serveAt starts a server for other machines, and returns its URL in each form.
func serveAt(t *testing.T, args ...string) (s *server, urls []string) {
	t.Helper()
	s = &server{t: t, mark: newMark()}
	s.cmd = exec.Command(binary, append([]string{"serve", "--listen", "localhost:0"}, args...)...)
	s.cmd.Env, s.cmd.Dir = environment(s.mark), t.TempDir()
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewReader(stderr)
	for len(urls) == 0 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		urls = regexp.MustCompile(`\b(?:ws|http)s?://\S+`).FindAllString(line, -1)
	}
	go func() { _, _ = lines.WriteTo(&strings.Builder{}) }()
	return s, urls
}

// Only the owner of a token can connect with it, and it appears in no output.
func TestATokenOpensTheServerUntilItIsRevoked(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	made := turnwire(t, "", "token", "create", "laptop")
	require.Equal(t, 0, made.code, made.stderr)
	token := strings.TrimSpace(made.stdout)
	require.Equal(t, 1, turnwire(t, "", "token", "create", "laptop").code)
	require.Contains(t, turnwire(t, "", "token", "list", "--json").stdout, `"name": "laptop"`)
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte(token+"\n"), 0o600))
	log := filepath.Join(t.TempDir(), "log")
	s, urls := serveAt(t, "--auth", "token", "--log-file", log, "--log-level", "debug")
	for _, url := range urls {
		run := func(args ...string) result {
			return turnwire(t, "", append([]string{"run", "--agent", "acp", "--url", url, "/say hello"}, args...)...)
		}
		with := run("--token-file", file)
		require.Equal(t, 0, with.code, with.stderr)
		require.Contains(t, with.stdout, "hello")
		without := run()
		require.Equal(t, 1, without.code)
		require.Contains(t, without.stderr, "401 Unauthorized")
		t.Setenv("TURNWIRE_TOKEN", token)
		require.Equal(t, 0, run().code)
		t.Setenv("TURNWIRE_TOKEN", "tw_wrong")
		wrong := run()
		require.Contains(t, wrong.stderr, "401 Unauthorized")
		require.NotContains(t, wrong.stderr, "tw_wrong")
		require.NoError(t, os.Unsetenv("TURNWIRE_TOKEN"))
	}
	require.Equal(t, 0, turnwire(t, "", "token", "revoke", "laptop").code)
	require.Equal(t, 1, turnwire(t, "", "run", "--agent", "acp", "--url", urls[0], "--token-file", file, "/say hello").code)
	require.Equal(t, 1, turnwire(t, "", "token", "revoke", "laptop").code)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
	for _, name := range []string{log, filepath.Join(state, "turnwire", "tokens.json")} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NotContains(t, string(text), token, name)
	}
}

func TestOtherMachinesAreNotServedByAccident(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--listen", ":0"}, {"--listen", "0.0.0.0:0", "--auth", "none"}} {
		r := turnwire(t, "", append([]string{"serve"}, args...)...)
		require.Equal(t, 1, r.code)
		require.Contains(t, r.stderr, "other machines can reach this address")
	}
}
