//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/limits"
)

// automatically makes the default address one of this test, and stops the server that the
// test starts.
func automatically(t *testing.T) {
	t.Helper()
	runtime, err := os.MkdirTemp("", "tw") //nolint:usetesting // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(runtime)) })
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Cleanup(func() {
		stop := exec.Command(binary, "stop") // the context of turnwire is done by now
		stop.Env = environment(newMark())
		out, err := stop.CombinedOutput()
		require.NoError(t, err, string(out))
	})
}

func TestOneServerIsStartedForAllEditors(t *testing.T) {
	automatically(t)
	var all []*editor
	for range 4 {
		all = append(all, launch(t, options{args: []string{"acp", "--server=auto"}, mark: newMark()}))
	}
	dir := t.TempDir()
	for _, e := range all {
		e.leaves = true
		require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
		e.session(dir)
	}
	live := turnwire(t, "", "sessions", "live")
	require.Equal(t, 4, strings.Count(live.stdout, "tw-"), live.stdout)
	for _, e := range all {
		require.NoError(t, e.stdin.Close())
		e.end()
	}
	limits.Eventually(t, func() bool {
		return strings.Count(turnwire(t, "", "sessions", "live").stdout, "none") == 4
	}, "the server outlives the editors")
}

func TestAKilledServerIsStartedAgain(t *testing.T) {
	automatically(t)
	e := launch(t, options{args: []string{"acp", "--server=auto"}})
	e.leaves = true
	require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
	session := e.session(t.TempDir())
	prompt := e.prompt(session, "/run sleep 600")
	e.awaitPermission()
	killServer(t, e.mark)
	require.Contains(t, e.answer(prompt).line, `"code":"interrupted"`)
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/say again")))
}

func TestAStoppedServerIsStartedWhenItIsNeeded(t *testing.T) {
	automatically(t)
	e := launch(t, options{args: []string{"acp", "--server=auto"}})
	e.leaves = true
	require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
	session := e.session(t.TempDir())
	require.Equal(t, 0, turnwire(t, "", "stop").code)
	require.NoFileExists(t, filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "turnwire", "serve.sock"))
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/say again")))
}

// killServer kills the server that an editor started.
func killServer(t *testing.T, mark string) {
	t.Helper()
	for _, d := range descendants(mark) {
		if words := strings.Fields(d); slices.Contains(words, "serve") {
			pid, err := strconv.Atoi(strings.TrimPrefix(words[0], "/proc/"))
			require.NoError(t, err, d)
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			return
		}
	}
	require.Fail(t, "no server was started")
}
