//go:build unix

package e2e

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// often is the interval of a test's checks.
const often = 10 * time.Millisecond

// A server is a running `turnwire serve`.
type server struct {
	t      *testing.T
	socket string
	mark   string
	cmd    *exec.Cmd
}

// serve starts a server, and returns when clients can attach to it.
func serve(t *testing.T, socket string, args ...string) *server {
	t.Helper()
	s := &server{t: t, socket: socket, mark: newMark()}
	s.cmd = exec.Command(binary, append([]string{"serve", "--socket", socket}, args...)...)
	s.cmd.Env, s.cmd.Dir = environment(s.mark), t.TempDir()
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "serving")
	go func() { _, _ = lines.WriteTo(&strings.Builder{}) }()
	return s
}

// ended waits for the server to exit, and checks that it leaves nothing behind.
func (s *server) ended() {
	s.t.Helper()
	require.NoError(s.t, s.cmd.Wait())
	require.Eventually(s.t, func() bool { return len(descendants(s.mark)) == 0 }, patience, often)
}

// attach launches the process that attaches an editor to the server.
func (s *server) attach() *editor {
	s.t.Helper()
	e := launch(s.t, options{args: []string{"acp", "--server=" + s.socket}})
	require.Nil(s.t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1, "clientInfo": map[string]string{"name": "test", "version": "1"}})).Error)
	return e
}

// reload opens one of the server's sessions.
func (e *editor) reload(session, dir string) {
	e.t.Helper()
	m := e.answer(e.request("session/load", map[string]any{"sessionId": session, "cwd": dir, "mcpServers": []any{}}))
	require.Nil(e.t, m.Error, m.line)
}

// shows waits for an update that contains a text.
func (e *editor) shows(kind, text string) {
	e.t.Helper()
	e.wait(kind+" with "+text, func(m message) bool {
		return m.Params.Update.Kind == kind && strings.Contains(m.line, text)
	})
}

func TestASessionOutlivesItsClientAndItsServer(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket, dir := filepath.Join(t.TempDir(), "s.sock"), t.TempDir()
	s := serve(t, socket)
	one := s.attach()
	session := one.session(dir)
	one.prompt(session, "/run echo made-by-hand")
	one.awaitPermission()
	one.crude, one.code = true, -1
	require.NoError(t, one.cmd.Process.Signal(syscall.SIGKILL)) // the laptop is closed

	require.Eventually(t, func() bool {
		live := turnwire(t, "", "sessions", "live", "--socket", socket)
		return strings.Contains(live.stdout, "asks") && strings.Contains(live.stdout, "none")
	}, patience, often)
	two := s.attach()
	two.reload(session, dir)
	two.shows("user_message_chunk", "/run echo made-by-hand")
	two.choose(two.awaitPermission(), "allow_once")
	two.shows("tool_call_update", "made-by-hand")
	require.Equal(t, "end_turn", two.stops(two.prompt(session, "/say what two has asked")))
	three := s.attach()
	three.reload(session, dir)
	three.shows("agent_message_chunk", "what two has asked")
	require.Contains(t, turnwire(t, "", "sessions", "live", "--socket", socket).stdout, "test, test")

	stopped := turnwire(t, "", "stop", "--socket", socket)
	require.Equal(t, "stopped the server, with 1 session open\n", stopped.stdout, stopped.stderr)
	s.ended()
	require.NoFileExists(t, socket)

	again := serve(t, socket)
	four := again.attach()
	four.reload(session, dir)
	four.shows("user_message_chunk", "/run echo made-by-hand")
	four.shows("agent_message_chunk", "what two has asked")
	require.NoError(t, again.cmd.Process.Signal(syscall.SIGTERM))
	again.ended()
}

func TestOneServerListensOnASocket(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket := filepath.Join(t.TempDir(), "s.sock")
	none := turnwire(t, "", "stop", "--socket", socket)
	require.Equal(t, 1, none.code)
	require.Contains(t, none.stderr, "no server is running: start one with turnwire serve")
	s := serve(t, socket)
	second := turnwire(t, "", "serve", "--socket", socket)
	require.Equal(t, 1, second.code)
	require.Contains(t, second.stderr, "another server is listening on "+socket)
	require.NoError(t, s.cmd.Process.Kill())
	_ = s.cmd.Wait()
	after := serve(t, socket) // replaces what the first server left behind
	require.NoError(t, after.cmd.Process.Signal(syscall.SIGINT))
	after.ended()
	require.Equal(t, 2, turnwire(t, "", "acp", "--server="+socket, "--", "cat").code)
}

func TestASessionIsWatchedFromAPipe(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket, dir := filepath.Join(t.TempDir(), "s.sock"), t.TempDir()
	s := serve(t, socket)
	one := s.attach()
	session := one.session(dir)
	require.Equal(t, "end_turn", one.stops(one.prompt(session, "/say before")))
	watch := exec.Command(binary, "attach", session[:5], "--socket", socket)
	watch.Env = environment(newMark())
	out, err := watch.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, watch.Start())
	t.Cleanup(func() { _ = watch.Process.Kill() })
	lines := bufio.NewScanner(out)
	sees := func(want string) {
		t.Helper()
		for lines.Scan() {
			if lines.Text() == want {
				return
			}
		}
		require.Fail(t, "it has ended", want)
	}
	sees("> /say before")
	sees("before")
	two := one.prompt(session, "/run echo now")
	sees("> /run echo now")
	one.choose(one.awaitPermission(), "allow_once") // a client that can't be asked doesn't refuse it
	require.Equal(t, "end_turn", one.stops(two))
	sees("answered by test")
	require.NoError(t, watch.Process.Signal(syscall.SIGINT))
	require.NoError(t, watch.Wait())
	require.Equal(t, "end_turn", one.stops(one.prompt(session, "/say after")))
	require.Equal(t, "turnwire: no open session \"nobody\" on the server; turnwire sessions live lists open sessions\n",
		turnwire(t, "", "attach", "nobody", "--socket", socket).stderr)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
}
