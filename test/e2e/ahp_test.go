//go:build unix

package e2e

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
)

// host starts a server for the saving agent. Clients of the agent host protocol connect to
// the URL, editors to the socket.
func host(t *testing.T, socket string, args ...string) (s *server, url string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return hostAny(t, socket, nil, append(args, "--", self, agentArgument, "saving")...)
}

// hostAny is like host, for any agents. env adds to the server's environment.
func hostAny(t *testing.T, socket string, env []string, args ...string) (s *server, url string) {
	t.Helper()
	s = &server{t: t, socket: socket, mark: newMark()}
	s.cmd = exec.Command(binary, append([]string{"serve", "--listen", "127.0.0.1:0", "--socket", socket}, args...)...)
	s.cmd.Env, s.cmd.Dir = append(environment(s.mark), env...), t.TempDir()
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	at := regexp.MustCompile(`ws://127\.0\.0\.1:\d+`).FindString(line)
	require.NotEmpty(t, at, line)
	go func() { _, _ = lines.WriteTo(&strings.Builder{}) }()
	return s, at + "/ahp"
}

// A mirror is a client of the agent host protocol.
type mirror struct {
	t    *testing.T
	ctx  context.Context
	ws   *websocket.Conn
	got  []string
	seq  int
	seen int
}

func mirrors(t *testing.T, url string) *mirror {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	t.Cleanup(stop)
	ws, answer, err := websocket.Dial(ctx, url, nil)
	require.NoError(t, err)
	if answer.Body != nil {
		_ = answer.Body.Close()
	}
	t.Cleanup(func() { _ = ws.CloseNow() })
	ws.SetReadLimit(-1)
	return &mirror{t: t, ctx: ctx, ws: ws}
}

func (m *mirror) say(format string, args ...any) {
	m.t.Helper()
	require.NoError(m.t, m.ws.Write(m.ctx, websocket.MessageText, fmt.Appendf(nil, format, args...)))
}

func (m *mirror) dispatch(channel, format string, args ...any) {
	m.t.Helper()
	m.seq++
	m.say(`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":%q,"clientSeq":%d,"action":%s}}`, channel, m.seq, fmt.Sprintf(format, args...))
}

// expect waits for a message that contains all parts, after those it already waited for.
func (m *mirror) expect(parts ...string) string {
	m.t.Helper()
	for {
		for ; m.seen < len(m.got); m.seen++ {
			line, all := m.got[m.seen], true
			for _, p := range parts {
				all = all && strings.Contains(line, p)
			}
			if all {
				m.seen++
				return line
			}
		}
		_, text, err := m.ws.Read(m.ctx)
		require.NoError(m.t, err, "waiting for %q after\n%s", parts, strings.Join(m.got, "\n"))
		m.got = append(m.got, string(text))
	}
}

const ahpSession = "turnwire:/one"

var ahpChat = "ahp-chat://default/" + base64.RawURLEncoding.EncodeToString([]byte(ahpSession))

// begins creates a session and subscribes to it.
func (m *mirror) begins(id, dir string) {
	m.t.Helper()
	m.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["0.9.0","0.7.0"],"clientId":%q,"initialSubscriptions":["ahp-root://"]}}`, id)
	m.expect(`"id":1,`, `"protocolVersion":"0.9.0"`, `"provider":"turnwire"`)
	if dir != "" {
		m.say(`{"jsonrpc":"2.0","id":2,"method":"createSession","params":{"channel":%q,"provider":"turnwire","workingDirectories":[%q]}}`, ahpSession, "file://"+dir)
		m.expect(`"id":2,"result":null`)
	}
	for i, channel := range []string{ahpSession, ahpChat} {
		m.say(`{"jsonrpc":"2.0","id":%d,"method":"subscribe","params":{"channel":%q}}`, 3+i, channel)
		m.expect(fmt.Sprintf(`"id":%d,"result":{"snapshot"`, 3+i))
	}
}

func (m *mirror) prompts(turn, text string) {
	m.t.Helper()
	m.dispatch(ahpChat, `{"type":"chat/turnStarted","turnId":%q,"startedAt":"","message":{"text":%q,"origin":{"kind":"user"}}}`, turn, text)
	m.expect("chat/turnStarted", turn, `"origin":{"clientId"`)
}

// The server dies in the middle of a turn. A client that comes back, with reconnect as its
// first request and without a channel in it, still has the messages and continues.
func TestAgentHostClientsComeBackAfterTheServersDeath(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	socket, dir := filepath.Join(t.TempDir(), "s.sock"), t.TempDir()
	s, url := host(t, socket)
	one := mirrors(t, url)
	one.begins("one", dir)
	one.dispatch(ahpSession, `{"type":"session/titleChanged","title":"Kept"}`)
	one.expect("session/titleChanged", `"origin"`)
	one.prompts("t1", "wait")
	last := one.expect("chat/delta", "You said: wait")
	seen := regexp.MustCompile(`"serverSeq":(\d+)`).FindStringSubmatch(last)
	require.NotNil(t, seen, last)
	for _, kind := range []string{"queued", "steering"} {
		one.dispatch(ahpChat, `{"type":"chat/pendingMessageSet","kind":%q,"id":"later-%s","message":{"text":"say later","origin":{"kind":"user"}}}`, kind, kind)
		one.expect("chat/pendingMessageSet", "later-"+kind)
	}
	require.Eventually(t, func() bool { return stored(t, "later-steering") }, patience, 10*time.Millisecond)
	require.NoError(t, s.cmd.Process.Kill())
	_ = s.cmd.Wait()

	again, url := host(t, socket)
	back := mirrors(t, url)
	back.say(`{"jsonrpc":"2.0","id":1,"method":"reconnect","params":{"clientId":"one","lastSeenServerSeq":%s,"subscriptions":["ahp-root://",%q,%q,"turnwire:/gone"]}}`, seen[1], ahpSession, ahpChat)
	answer := back.expect(`"id":1,`)
	require.Contains(t, answer, `"type":"snapshot"`)
	require.Contains(t, answer, `"missing":["turnwire:/gone"]`)
	require.Contains(t, answer, "You said: wait")
	require.Contains(t, answer, "interrupted")
	require.Contains(t, answer, `"title":"Kept"`)
	require.NotContains(t, answer, "activeTurn")
	require.Contains(t, answer, `"draft":{"text":"say later\nsay later"`)
	require.NotContains(t, answer, "queuedMessages")
	back.say(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{}}`) // shows that it has read the answer
	back.expect("chat/turnStarted")
	back.expect("chat/responsePart", "the previous turn was interrupted. Not sent: say later") // VS Code doesn't show what the snapshot adds to it
	back.expect("chat/turnComplete")
	back.seq = 100
	back.prompts("t2", "more")
	back.expect("chat/toolCallReady", `"options"`)
	back.dispatch(ahpChat, `{"type":"chat/turnCancelled","turnId":"t2","duration":1}`)
	back.expect("chat/turnCancelled", `"origin"`)
	require.NoError(t, again.cmd.Process.Signal(os.Interrupt))
	again.ended()
}

// stored reports whether a file of the host contains a text.
func stored(t *testing.T, text string) bool {
	t.Helper()
	found := false
	require.NoError(t, filepath.WalkDir(os.Getenv("XDG_STATE_HOME"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".json" && !strings.HasPrefix(d.Name(), ".") {
			content, _ := os.ReadFile(path) // it may be replaced meanwhile
			found = found || strings.Contains(string(content), text)
		}
		return nil
	}))
	return found
}

func TestTheAgentHostRequiresATokenAndRefusesPages(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	token := strings.TrimSpace(turnwire(t, "", "token", "create", "vscode").stdout)
	s, url := host(t, filepath.Join(t.TempDir(), "s.sock"), "--auth", "token")
	for _, c := range []struct {
		path, origin string
		status       int
	}{
		{"", "", http.StatusUnauthorized},
		{"?tkn=wrong", "", http.StatusUnauthorized},
		{"?tkn=" + token, "", http.StatusSwitchingProtocols},
		{"?tkn=" + token, "vscode-file://vscode-app", http.StatusSwitchingProtocols},
		{"?tkn=" + token, "https://evil.example", http.StatusForbidden},
		{"?tkn=" + token, "http://127.0.0.1:1", http.StatusForbidden},
		{"?tkn=" + token, "vscode-webview://x", http.StatusForbidden},
	} {
		for _, at := range []string{url, strings.TrimSuffix(url, "ahp")} {
			header := http.Header{}
			if c.origin != "" {
				header.Set("Origin", c.origin)
			}
			ws, answer, err := websocket.Dial(t.Context(), at+c.path, &websocket.DialOptions{HTTPHeader: header})
			require.NotNil(t, answer, err)
			require.Equal(t, c.status, answer.StatusCode, "%+v at %s", c, at)
			if ws != nil {
				require.NoError(t, ws.CloseNow())
			} else if answer.Body != nil {
				_ = answer.Body.Close()
			}
		}
	}
	require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
	s.ended()
}
