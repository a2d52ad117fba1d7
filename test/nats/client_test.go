//go:build unix

package nats

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	remote "github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// A client is a connection to a server.
type client struct {
	t       *testing.T
	conn    *remote.Conn
	writing sync.Mutex // one line at a time

	mu       sync.Mutex
	changed  sync.Cond
	ended    string // why nothing more will come; "" if something may
	last     int
	answers  map[string]answer
	text     map[string]*strings.Builder // the agents' messages, by session id
	asked    map[string][]json.RawMessage
	withdraw map[string]bool // ids of withdrawn questions
}

type answer struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
		Data    struct{ Details string }
	}
}

// attach connects a client to a server, which accepts only so many at once.
func attach(t *testing.T, m *machine) *client {
	t.Helper()
	for {
		f := try(t, m)
		_, err := io.WriteString(f.conn, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"test","version":"1"}}}`+"\n")
		if err == nil {
			require.Nil(t, f.await("0").Error)
			return f
		}
		require.ErrorContains(t, err, "429")
	}
}

func try(t *testing.T, m *machine) *client {
	t.Helper()
	c, err := remote.Open(remote.Config{URL: m.url})
	require.NoError(t, err)
	f := &client{
		t: t, conn: c, answers: make(map[string]answer), text: make(map[string]*strings.Builder),
		asked: make(map[string][]json.RawMessage), withdraw: make(map[string]bool),
	}
	f.changed.L = &f.mu
	var reads sync.WaitGroup
	reads.Go(f.read)
	t.Cleanup(func() {
		_ = c.Close()
		reads.Wait()
	})
	return f
}

func (f *client) read() {
	in := bufio.NewScanner(f.conn)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		f.handle(in.Bytes())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = fmt.Sprintf("the connection ended: %v", in.Err())
	f.changed.Broadcast()
}

func (f *client) handle(line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		answer
		Params struct {
			SessionID string
			RequestID json.RawMessage
			Update    struct {
				SessionUpdate string
				Content       json.RawMessage
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.changed.Broadcast()
	if err := json.Unmarshal(line, &m); err != nil {
		f.t.Errorf("%.200s: %v", line, err)
		return
	}
	id := m.Params.SessionID
	switch m.Method {
	case "":
		f.answers[string(m.ID)] = m.answer
	case "session/request_permission":
		f.asked[id] = append(f.asked[id], m.ID)
	case "$/cancel_request":
		f.withdraw[string(m.Params.RequestID)] = true
	case "session/update":
		if m.Params.Update.SessionUpdate != "agent_message_chunk" {
			return
		}
		var content struct{ Text string }
		if err := json.Unmarshal(m.Params.Update.Content, &content); err != nil {
			f.t.Errorf("%.200s: %v", line, err)
		}
		if f.text[id] == nil {
			f.text[id] = new(strings.Builder)
		}
		f.text[id].WriteString(content.Text)
	}
}

// until waits until a condition on this client holds. It checks the condition with
// the lock held, and only when this client has received something.
func (f *client) until(what string, is func() bool) {
	f.t.Helper()
	late := ""
	timer := time.AfterFunc(deadline, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		late = "it is too late"
		f.changed.Broadcast()
	})
	defer timer.Stop()
	f.mu.Lock()
	defer f.mu.Unlock()
	for !is() {
		require.Empty(f.t, f.ended+late, "%s did not come; there are %d answers, these questions: %s", what, len(f.answers), f.asked)
		f.changed.Wait()
	}
}

// begin sends a request.
func (f *client) begin(method string, params any) (id string) {
	f.t.Helper()
	f.mu.Lock()
	f.last++
	id = strconv.Itoa(f.last)
	f.mu.Unlock()
	f.write(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	return id
}

func (f *client) write(message any) {
	f.t.Helper()
	line, err := json.Marshal(message)
	require.NoError(f.t, err)
	f.writing.Lock()
	defer f.writing.Unlock()
	_, err = f.conn.Write(append(line, '\n'))
	require.NoError(f.t, err)
}

// await waits for a response.
func (f *client) await(id string) (a answer) {
	f.t.Helper()
	f.until("the answer "+id, func() (ok bool) {
		a, ok = f.answers[id]
		return ok
	})
	return a
}

func (f *client) call(method string, params any) answer {
	f.t.Helper()
	return f.await(f.begin(method, params))
}

// open opens a new session.
func (f *client) open(cwd string) (session string) {
	f.t.Helper()
	a := f.call("session/new", map[string]any{"cwd": cwd, "mcpServers": []any{}})
	require.Nil(f.t, a.Error)
	var r struct{ SessionID string }
	require.NoError(f.t, json.Unmarshal(a.Result, &r))
	return r.SessionID
}

func (f *client) beginLoad(session, cwd string) (id string) {
	f.t.Helper()
	return f.begin("session/load", map[string]any{"sessionId": session, "cwd": cwd, "mcpServers": []any{}})
}

// load loads a session.
func (f *client) load(session, cwd string) {
	f.t.Helper()
	a := f.await(f.beginLoad(session, cwd))
	require.Nil(f.t, a.Error, "%+v", a.Error)
}

// prompt begins a turn.
func (f *client) prompt(session, text string) (id string) {
	f.t.Helper()
	return f.begin("session/prompt", map[string]any{"sessionId": session, "prompt": []any{map[string]string{"type": "text", "text": text}}})
}

// allow permits a request, once.
func (f *client) allow(question json.RawMessage) {
	f.t.Helper()
	f.write(map[string]any{"jsonrpc": "2.0", "id": question, "result": map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": "allow_once"}}})
}

// textOf returns the agent's messages in a session.
func (f *client) textOf(session string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.textLocked(session)
}

func (f *client) textLocked(session string) string {
	if f.text[session] == nil {
		return ""
	}
	return f.text[session].String()
}

// awaitPiece waits until the agent's messages in a session contain a text.
func (f *client) awaitPiece(session, what string) {
	f.t.Helper()
	f.until(fmt.Sprintf("%q", what), func() bool { return strings.Contains(f.textLocked(session), what) })
}

// awaitSame waits until all clients show the same messages of the agent in a session.
// A client may wait only for what it receives itself, so this waits for one after the
// other, and again if one of them received more meanwhile.
func awaitSame(t *testing.T, session string, clients ...*client) {
	t.Helper()
	for most := -1; ; {
		all := most
		for _, f := range clients {
			f.until("what another client shows", func() bool { return len(f.textLocked(session)) >= most })
			all = max(all, len(f.textOf(session)))
		}
		if all == most {
			break
		}
		most = all
	}
	for _, f := range clients[1:] {
		require.Equal(t, clients[0].textOf(session), f.textOf(session))
	}
}

// counts returns how far each turn counted in the agent's messages. No number
// is missing or duplicated.
func counts(t *testing.T, text string) (all []int) {
	t.Helper()
	next := -1
	for word := range strings.FieldsSeq(text) {
		var n int
		if _, err := fmt.Sscan(word, &n); err != nil || strconv.Itoa(n) != word {
			next = -1 // a notice
			continue
		}
		if n != 0 && next < 0 {
			continue // a number in a notice
		}
		if n == 0 {
			all = append(all, 0)
			next = 1
			continue
		}
		require.Equal(t, next, n, "in %.300q", text)
		all[len(all)-1] = n
		next++
	}
	return all
}
