//go:build unix

package e2e

import (
	"io"
	"net"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A socketProxy forwards connections from one socket to another, until it is told to cut
// them.
type socketProxy struct {
	t        *testing.T
	path, to string
	listener net.Listener
	work     sync.WaitGroup

	mu   sync.Mutex
	open []net.Conn
}

// proxyTo starts a proxy to a socket.
func proxyTo(t *testing.T, to string) *socketProxy {
	t.Helper()
	p := &socketProxy{t: t, path: filepath.Join(t.TempDir(), "p.sock"), to: to}
	p.listen()
	t.Cleanup(func() {
		p.cut()
		p.work.Wait()
	})
	return p
}

// listen accepts connections.
func (p *socketProxy) listen() {
	p.t.Helper()
	l, err := net.Listen("unix", p.path)
	require.NoError(p.t, err)
	p.listener = l
	p.work.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", p.to)
			if err != nil {
				_ = in.Close()
				continue
			}
			p.mu.Lock()
			p.open = append(p.open, in, out)
			p.mu.Unlock()
			for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
				p.work.Go(func() {
					_, _ = io.Copy(way[0], way[1])
					_ = way[0].Close()
				})
			}
		}
	})
}

// cut closes all connections, and refuses new ones until listen is called.
func (p *socketProxy) cut() {
	_ = p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
	p.open = nil
}

// connect launches an editor behind the proxy or server at a socket.
func connect(t *testing.T, socket string) *editor {
	t.Helper()
	e := launch(t, options{args: []string{"acp", "--server=" + socket}})
	require.Nil(t, e.answer(e.request("initialize", map[string]any{
		"protocolVersion": 1, "clientInfo": map[string]string{"name": "test", "version": "1"},
		"clientCapabilities": map[string]any{"session": map[string]any{"notices": map[string]any{}}, "_meta": map[string]any{"turnwire.dev/turns": true}},
	})).Error)
	return e
}

// notices waits for a notice that contains a text.
func (e *editor) notices(text string) {
	e.t.Helper()
	e.shows("notice", text)
}

// answers returns how many responses to a request arrived.
func (e *editor) answers(id int) (n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range e.messages {
		if m.isAnswer(id) {
			n++
		}
	}
	return n
}

func TestACancelWhileDisconnectedPermitsNothing(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s, dir := serve(t, filepath.Join(t.TempDir(), "s.sock")), t.TempDir()
	p := proxyTo(t, s.socket)
	e := connect(t, p.path)
	session := e.session(dir)
	prompt := e.prompt(session, "/run touch permitted")
	asked := e.awaitPermission()
	p.cut()
	e.notices("Reconnecting")
	e.choose(asked, "allow_once")
	e.cancel(session)
	require.Equal(t, "cancelled", e.stops(prompt))
	p.listen()
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/say afterwards")))
	require.NoFileExists(t, filepath.Join(dir, "permitted"))
	require.Equal(t, 1, e.answers(prompt))
}

func TestAKilledServerEndsTheTurnVisibly(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket := filepath.Join(t.TempDir(), "s.sock")
	s := serve(t, socket)
	one, two := connect(t, socket), connect(t, socket)
	dir := t.TempDir()
	session := one.session(dir)
	two.reload(session, dir)
	prompt := one.prompt(session, "/run sleep 600")
	one.choose(one.awaitPermission(), "allow_once")
	for _, e := range []*editor{one, two} {
		e.shows("tool_call_update", `"status":"in_progress"`)
	}
	require.NoError(t, s.cmd.Process.Kill())
	_ = s.cmd.Wait()
	again := serve(t, socket)
	lost := one.answer(prompt)
	require.NotNil(t, lost.Error, lost.line)
	require.Contains(t, lost.line, `"code":"interrupted"`)
	for _, e := range []*editor{one, two} {
		e.shows("tool_call_update", `"status":"failed"`)
		e.shows("turn_complete", "restarted")
	}
	require.Equal(t, "end_turn", one.stops(one.prompt(session, "/say what one asks")), "the session is open again")
	two.shows("user_message_chunk", "what one asks")
	require.Equal(t, "end_turn", two.stops(two.prompt(session, "/say what two asks")))
	one.shows("user_message_chunk", "what two asks")
	two.reload(session, dir)
	two.shows("agent_message_chunk", "interrupted because Turnwire exited")
	require.NotContains(t, lost.line, socket)
	require.NoError(t, again.cmd.Process.Signal(syscall.SIGTERM))
	again.ended()
}
