package consent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A client is a client in which a user answers.
type client interface {
	// create opens a new session, and returns when the client may prompt.
	create()
	// join opens the session that another client has created.
	join(id string)
	// prompt starts a turn.
	prompt()
	// answer chooses an option.
	answer(option string)
	// fail answers with an error, or the closest equivalent.
	fail()
	// cancel cancels the turn.
	cancel()
	// together sends everything that do sends in one write.
	together(do func())
	// isAsked reports whether the client was asked for permission.
	isAsked() bool
	// leave ends the connection.
	leave()
}

// A wire is one end of a connection; everything received on it is read.
type wire struct {
	t    *testing.T
	out  io.WriteCloser
	held *strings.Builder // messages to send together, if not nil

	mu    sync.Mutex
	lines []string
}

// dial connects to what serve serves. The connection has ended when serve
// returns.
func dial(t *testing.T, work *sync.WaitGroup, serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser)) *wire {
	in, write := io.Pipe()
	read, out := io.Pipe()
	w := &wire{t: t, out: write}
	work.Go(func() {
		serve(context.Background(), in, out)
		_ = out.Close()
	})
	work.Go(func() {
		for s := bufio.NewScanner(read); s.Scan(); {
			w.mu.Lock()
			w.lines = append(w.lines, s.Text())
			w.mu.Unlock()
		}
	})
	return w
}

func (w *wire) say(format string, args ...any) {
	w.t.Helper()
	line := fmt.Sprintf(format, args...) + "\n"
	if w.held != nil {
		w.held.WriteString(line)
		return
	}
	_, err := io.WriteString(w.out, line)
	require.NoError(w.t, err)
}

func (w *wire) together(do func()) {
	w.t.Helper()
	w.held = new(strings.Builder)
	do()
	lines := strings.TrimSuffix(w.held.String(), "\n")
	w.held = nil
	w.say("%s", lines)
}

func (w *wire) leave() { _ = w.out.Close() }

// received returns the first message with a method, and whether there is one.
func (w *wire) received(method string) (m message, ok bool) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.lines {
		var m message
		require.NoError(w.t, json.Unmarshal([]byte(line), &m), line)
		if m.Method == method {
			return m, true
		}
	}
	return message{}, false
}

type message struct {
	ID     json.RawMessage
	Method string
	Result struct{ SessionID string }
}

// An editor speaks ACP.
type editor struct {
	*wire
	session string
}

func newEditor(w *wire) *editor {
	e := &editor{wire: w}
	e.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"editor","version":"1"}}}`)
	settle()
	return e
}

func (e *editor) create() {
	e.t.Helper()
	e.say(`{"jsonrpc":"2.0","id":"new","method":"session/new","params":{"cwd":"/","mcpServers":[]}}`)
	settle()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, line := range e.lines {
		var m message
		require.NoError(e.t, json.Unmarshal([]byte(line), &m), line)
		if string(m.ID) == `"new"` {
			e.session = m.Result.SessionID
		}
	}
	require.NotEmpty(e.t, e.session, e.lines)
}

func (e *editor) join(id string) {
	e.session = id
	e.say(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":%q,"cwd":"/","mcpServers":[]}}`, id)
	settle()
}

func (e *editor) prompt() {
	e.say(`{"jsonrpc":"2.0","id":"prompt","method":"session/prompt","params":{"sessionId":%q,"prompt":[{"type":"text","text":"go"}]}}`, e.session)
	settle()
}

func (e *editor) isAsked() bool {
	_, ok := e.received("session/request_permission")
	return ok
}

func (e *editor) reply(outcome string) {
	e.t.Helper()
	m, ok := e.received("session/request_permission")
	require.True(e.t, ok, "nobody is asked")
	e.say(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, outcome)
}

func (e *editor) answer(option string) {
	e.reply(fmt.Sprintf(`"result":{"outcome":{"outcome":"selected","optionId":%q}}`, option))
}

func (e *editor) fail() { e.reply(`"error":{"code":-32603,"message":"no window"}`) }

func (e *editor) cancel() {
	e.say(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, e.session)
}

// A window speaks AHP.
type window struct {
	*wire
	seq int
}

const channel = "turnwire:/one"

func newWindow(w *wire, id string) *window {
	v := &window{wire: w}
	v.say(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["0.9.0"],"clientId":%q,"initialSubscriptions":["ahp-root://"]}}`, id)
	settle()
	return v
}

func (v *window) create() {
	v.say(`{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":%q,"provider":"turnwire"}}`, channel)
	v.join("")
}

func (v *window) join(string) {
	v.say(`{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":%q}}`, channel)
	v.say(`{"jsonrpc":"2.0","id":3,"method":"subscribe","params":{"channel":%q}}`, ahp.ChatURI(channel))
	settle()
}

func (v *window) dispatch(format string, args ...any) {
	v.seq++
	v.say(`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":%q,"clientSeq":%d,"action":{"turnId":"t1",%s}}}`,
		ahp.ChatURI(channel), v.seq, fmt.Sprintf(format, args...))
}

func (v *window) prompt() {
	v.dispatch(`"type":"chat/turnStarted","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}`)
	settle()
}

// isAsked looks for an action, or for a state that the window received when it
// joined.
func (v *window) isAsked() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.ContainsFunc(v.lines, func(line string) bool { return strings.Contains(line, `"kind":"toolConfirmation"`) })
}

func (v *window) answer(option string) {
	v.dispatch(`"type":"chat/toolCallConfirmed","toolCallId":"c","approved":%t,"confirmed":"user-action","selectedOptionId":%q`, option != reject, option)
}

// fail does not name a call.
func (v *window) fail() { v.dispatch(`"type":"chat/toolCallConfirmed","approved":true`) }

func (v *window) cancel() { v.dispatch(`"type":"chat/turnCancelled","duration":5`) }
