package bridge_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// An editor is the other end of a bridge. It reads only when the test asks it to, so a
// test can play an editor that does not read. Sessions are called S1, S2 and so on in
// sent and expected messages. Everything that is read is checked against the protocol's
// rules; see [laws].
type editor struct {
	t      *testing.T
	in     net.Conn // what the bridge reads
	out    net.Conn // what the bridge writes
	lines  *bufio.Reader
	laws   *laws
	ids    []string // the sessions' real ids
	served chan error
	stop   context.CancelFunc
}

// connect starts a bridge for a. It does not join deltas. It must be called in a
// synctest bubble. There, its deadline only expires if all goroutines are blocked,
// however slow the machine is.
func connect(t *testing.T, a agent.Agent, change ...func(*setup)) *editor {
	t.Helper()
	in, bridgeIn := net.Pipe()
	out, bridgeOut := net.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	e := &editor{
		t: t, in: in, out: out, lines: bufio.NewReader(out), laws: newLaws(t),
		served: make(chan error, 1), stop: stop,
	}
	go func() {
		made := newSetup(a, bridgeIn, bridgeOut)
		for _, f := range change {
			f(made)
		}
		e.served <- made.serve(ctx)
		close(e.served)
	}()
	t.Cleanup(func() {
		_ = in.Close()
		_ = out.Close()
		for range e.served { // until it has ended
			continue
		}
		stop()
	})
	deadline := time.Now().Add(patience)
	require.NoError(t, in.SetDeadline(deadline))
	require.NoError(t, out.SetDeadline(deadline))
	return e
}

// open connects, initializes with capabilities, and opens the session S1.
func open(t *testing.T, p *puppet, capabilities string) (*editor, *puppetSession) {
	t.Helper()
	e := connect(t, p)
	e.initialize(capabilities)
	return e, e.newSession(p)
}

func (e *editor) initialize(capabilities string) {
	e.t.Helper()
	e.request(`"init"`, "initialize", `{"protocolVersion":1,"clientCapabilities":`+capabilities+`}`)
	require.Contains(e.t, e.read(), `"protocolVersion":1`)
}

// newSession opens the next session.
func (e *editor) newSession(p *puppet) *puppetSession {
	e.t.Helper()
	n := len(e.ids) + 1
	e.request(fmt.Sprintf(`"new%d"`, n), "session/new", `{"cwd":"/project","mcpServers":[]}`)
	e.expect(fmt.Sprintf(`{"id":"new%d","result":{"sessionId":"S%d"}}`, n, n))
	return p.session(e.t)
}

// write sends text in one write, with the sessions' names replaced by their ids.
func (e *editor) write(text string) {
	e.t.Helper()
	for i, id := range e.ids {
		text = strings.ReplaceAll(text, fmt.Sprintf(`"S%d"`, i+1), `"`+id+`"`)
	}
	e.laws.sent(text)
	_, err := io.WriteString(e.in, text)
	require.NoError(e.t, err)
}

func call(id, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params) + "\n"
}

func note(method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params) + "\n"
}

const cancelS1 = `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"S1"}}` + "\n"

// promptS1 returns a prompt for S1.
func promptS1(id, text string) string {
	return call(id, "session/prompt", fmt.Sprintf(`{"sessionId":"S1","prompt":[{"type":"text","text":%q}]}`, text))
}

func (e *editor) request(id, method, params string) { e.t.Helper(); e.write(call(id, method, params)) }

func (e *editor) notify(method, params string) { e.t.Helper(); e.write(note(method, params)) }

// answer sends the result of a request from the bridge.
func (e *editor) answer(id int, result string) {
	e.t.Helper()
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, result) + "\n")
}

// refuse answers a request from the bridge with an error.
func (e *editor) refuse(id int) {
	e.t.Helper()
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, id) + "\n")
}

var sessionID = regexp.MustCompile(`tw-[0-9a-z]+`)

// read returns the next line.
func (e *editor) read() string {
	e.t.Helper()
	text, err := e.lines.ReadString('\n')
	require.NoError(e.t, err)
	return e.handle(text)
}

func (e *editor) handle(text string) string {
	e.t.Helper()
	e.laws.received(text)
	return sessionID.ReplaceAllStringFunc(strings.TrimSuffix(text, "\n"), func(id string) string {
		for i, known := range e.ids {
			if known == id {
				return fmt.Sprintf("S%d", i+1)
			}
		}
		e.ids = append(e.ids, id)
		return fmt.Sprintf("S%d", len(e.ids))
	})
}

// expect reads one line for each argument and requires it to equal that, ignoring
// "jsonrpc".
func (e *editor) expect(want ...string) {
	e.t.Helper()
	for _, w := range want {
		require.JSONEq(e.t, w, bare(e.read()))
	}
}

// expectLike reads a line and requires it to contain all of these parts.
func (e *editor) expectLike(parts ...string) string {
	e.t.Helper()
	text := e.read()
	for _, part := range parts {
		require.Contains(e.t, text, part)
	}
	return text
}

// bare returns a message without its "jsonrpc" member.
func bare(text string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &members) != nil {
		return text
	}
	delete(members, "jsonrpc")
	out, err := json.Marshal(members)
	if err != nil {
		return text
	}
	return string(out)
}

// until reads up to the response to a request and returns all lines.
func (e *editor) until(id string) []string {
	e.t.Helper()
	var out []string
	for {
		text := e.read()
		out = append(out, text)
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		require.NoError(e.t, json.Unmarshal([]byte(text), &m))
		if m.Method == "" && string(m.ID) == id {
			return out
		}
	}
}

// stopped reads up to the response to a prompt, and requires this stop reason.
func (e *editor) stopped(id, reason string) {
	e.t.Helper()
	lines := e.until(id)
	require.JSONEq(e.t, fmt.Sprintf(`{"id":%s,"result":{"stopReason":%q}}`, id, reason), bare(lines[len(lines)-1]))
}

// sync returns when the bridge has handled everything that was sent.
func (e *editor) sync() {
	e.t.Helper()
	e.request(`"sync"`, "_sync", `{}`)
	e.expectLike(`"id":"sync"`, "-32601")
}

// close closes the input and returns everything that the bridge still writes.
func (e *editor) close() []string {
	e.t.Helper()
	require.NoError(e.t, e.in.Close())
	return e.rest()
}

// rest returns everything that the bridge writes until it ends.
func (e *editor) rest() []string {
	e.t.Helper()
	var out []string
	for {
		text, err := e.lines.ReadString('\n')
		if err != nil {
			require.ErrorIs(e.t, err, io.EOF)
			require.Empty(e.t, text)
			break
		}
		out = append(out, e.handle(text))
	}
	require.NoError(e.t, <-e.served)
	return out
}
