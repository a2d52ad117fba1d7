package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A window is an Agent Host Protocol client with one session, like VS Code's built-in
// chat.
type window struct {
	*server
	conn    *websocket.Conn
	ctx     context.Context
	session string
	chat    string
	seq     int // of the last request or action
	turn    string
	message []byte // unread rest of the current message
}

func startWindow(ctx context.Context, turnwire string, child []string) (*window, error) {
	s, err := startServer(ctx, turnwire, child)
	if err != nil {
		return nil, err
	}
	return s.window(ctx, "ahp-session:/"+rand.Text()) // the host may remember other sessions
}

// window connects to the server, and creates the session unless it exists.
func (s *server) window(ctx context.Context, session string) (*window, error) {
	unix := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", s.socket())
	}}}
	conn, response, err := websocket.Dial(ctx, "ws://localhost/ahp", &websocket.DialOptions{HTTPClient: unix}) //nolint:bodyclose // it has none
	if err != nil && response != nil {
		return nil, &refusal{response.StatusCode}
	}
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	w := &window{server: s, conn: conn, ctx: ctx, session: session, chat: ahp.ChatURI(session)}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, r := range []struct {
		method string
		params map[string]any
	}{
		{"initialize", map[string]any{"channel": ahp.Root, "protocolVersions": []string{"1.0.0"}, "clientId": "bench", "initialSubscriptions": []string{}}},
		{"createSession", map[string]any{"channel": session, "provider": "turnwire", "workingDirectories": []string{"file://" + dir}}},
		{"subscribe", map[string]any{"channel": session}},
		{"subscribe", map[string]any{"channel": w.chat}},
	} {
		if err := w.call(r.method, r.params); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// A refusal is the HTTP response to a refused connection.
type refusal struct{ status int }

func (r *refusal) Error() string {
	return "the server refuses a connection: " + http.StatusText(r.status)
}

// codeExists is the error code for a session that already exists.
const codeExists = -32003

// call sends a request and reads until its response.
func (w *window) call(method string, params any) error {
	w.seq++
	if err := w.write(map[string]any{"jsonrpc": "2.0", "id": w.seq, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		_, line, err := w.conn.Read(w.ctx)
		if err != nil {
			return fmt.Errorf("%s: no answer: %w", method, err)
		}
		m, err := answer(line)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", method, err)
		case m == nil || *m.ID != int64(w.seq):
		case m.Error != nil && m.Error.Code != codeExists:
			return fmt.Errorf("%s: %w", method, m.Error)
		default:
			return nil
		}
	}
}

func (w *window) write(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return err
	}
	return w.conn.Write(w.ctx, websocket.MessageText, line)
}

// Read implements subject. Each message is one line.
func (w *window) Read(p []byte) (int, error) {
	if len(w.message) == 0 {
		_, message, err := w.conn.Read(w.ctx)
		if err != nil {
			return 0, err
		}
		w.message = slices.Concat(message, []byte{'\n'})
	}
	n := copy(p, w.message)
	w.message = w.message[n:]
	return n, nil
}

func (w *window) pid() int { return w.cmd.Process.Pid }

// prompt implements subject.
func (w *window) prompt(text string) error {
	w.seq++
	w.turn = "turn-" + strconv.Itoa(w.seq)
	return w.write(map[string]any{"jsonrpc": "2.0", "method": "dispatchAction", "params": map[string]any{
		"channel": w.chat, "clientSeq": w.seq,
		"action": map[string]any{
			"type": "chat/turnStarted", "turnId": w.turn, "startedAt": time.Now().UTC().Format(time.RFC3339),
			"message": map[string]any{"text": text, "origin": map[string]string{"kind": "user"}},
		},
	}})
}

// ends implements subject.
func (w *window) ends(line []byte) (bool, error) {
	if !bytes.Contains(line, []byte(w.turn)) {
		return false, nil
	}
	var m struct {
		Params struct {
			Action          struct{ Type, TurnID string }
			RejectionReason string
		}
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return false, fmt.Errorf("message of the host: %w", err)
	}
	switch a := m.Params.Action; {
	case a.TurnID != w.turn:
		return false, nil
	case m.Params.RejectionReason != "":
		return false, errors.New(m.Params.RejectionReason)
	case a.Type == "chat/error" || a.Type == "chat/turnCancelled":
		return false, fmt.Errorf("the turn ended with %s", a.Type)
	default:
		return a.Type == "chat/turnComplete", nil
	}
}

// close implements subject.
func (w *window) close() error {
	_ = w.conn.CloseNow()
	return w.server.close()
}

// waiting is the number of idle clients when measuring the memory of one.
const waiting = 60

// idleClients measures the memory of a client that waits for updates of a session.
func (b *bench) idleClients(ctx context.Context, c contender) error {
	first, err := startWindow(ctx, c.bridge[0], []string{b.child, "-events", "1"})
	if err != nil {
		return err
	}
	if _, err := turn(first, "ready"); err != nil {
		return err
	}
	before, err := residentMemory(first.pid())
	if err != nil {
		return err
	}
	for n := 0; n < waiting; {
		_, err := first.window(ctx, first.session)
		var refused *refusal
		switch {
		case err == nil:
			n++
		case !errors.As(err, &refused) || refused.status != http.StatusTooManyRequests:
			return err
		default:
			time.Sleep(100 * time.Millisecond) // the server limits simultaneous newcomers
		}
	}
	after, err := residentMemory(first.pid())
	if err != nil {
		return err
	}
	b.figures.add(clientIdle, c.name, float64(after-before)/1e3/waiting)
	return first.close()
}
