//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// send writes a line to stdin.
func (e *editor) send(line string) {
	e.t.Helper()
	_, err := e.stdin.WriteString(line + "\n")
	require.NoError(e.t, err)
}

// notify sends a notification.
func (e *editor) notify(method string, params any) {
	e.t.Helper()
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(raw))
}

// request sends a request and returns its id.
func (e *editor) request(method string, params any) int {
	e.t.Helper()
	e.last++
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": e.last, "method": method, "params": params})
	require.NoError(e.t, err)
	e.send(string(raw))
	return e.last
}

// answer waits for the response to a request.
func (e *editor) answer(id int) message {
	e.t.Helper()
	return e.wait(fmt.Sprintf("answer to request %d", id), func(m message) bool { return m.isAnswer(id) })
}

// open initializes the connection and opens a session in dir.
func (e *editor) open(dir string) string {
	e.t.Helper()
	id := e.request("initialize", map[string]any{"protocolVersion": 1})
	require.Nil(e.t, e.answer(id).Error)
	return e.session(dir)
}

func (e *editor) session(dir string) string {
	e.t.Helper()
	id := e.request("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}})
	m := e.answer(id)
	require.NotEmpty(e.t, m.Result.SessionID, m.line)
	return m.Result.SessionID
}

// prompt sends a prompt and returns its id.
func (e *editor) prompt(session, text string) int {
	e.t.Helper()
	return e.request("session/prompt", map[string]any{
		"sessionId": session,
		"prompt":    []any{map[string]any{"type": "text", "text": text}},
	})
}

func (e *editor) cancel(session string) {
	e.t.Helper()
	e.notify("session/cancel", map[string]any{"sessionId": session})
}

// stops waits for a prompt to end successfully, and returns its stop reason.
func (e *editor) stops(id int) string {
	e.t.Helper()
	m := e.answer(id)
	require.Nil(e.t, m.Error, m.line)
	return m.Result.StopReason
}

// awaitPermission waits for the next permission request that the test has not handled.
func (e *editor) awaitPermission() message {
	e.t.Helper()
	m := e.wait("permission request", func(m message) bool {
		return m.Method == "session/request_permission" && !e.asked[string(m.ID)]
	})
	e.asked[string(m.ID)] = true
	return m
}

// choose answers a permission request with the option of a given kind.
func (e *editor) choose(asked message, kind string) {
	e.t.Helper()
	e.choosing(asked, func(o option) bool { return o.Kind == kind })
}

// chooseNamed answers a permission request with the option of a given name.
func (e *editor) chooseNamed(asked message, name string) {
	e.t.Helper()
	e.choosing(asked, func(o option) bool { return o.Name == name })
}

func (e *editor) choosing(asked message, wanted func(option) bool) {
	e.t.Helper()
	i := slices.IndexFunc(asked.Params.Options, wanted)
	require.GreaterOrEqual(e.t, i, 0, "there is no such option in %s", asked.line)
	raw, err := json.Marshal(asked.Params.Options[i].ID)
	require.NoError(e.t, err)
	e.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%s}}}`, asked.ID, raw))
}

// saw waits until the text of all messages so far contains part.
func (e *editor) saw(part string) {
	e.t.Helper()
	var all strings.Builder
	e.wait("text "+part, func(m message) bool {
		all.WriteString(m.text())
		return strings.Contains(all.String(), part)
	})
}

// count returns the number of updates of a kind so far.
func (e *editor) count(kind string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, m := range e.messages {
		if m.Params.Update.Kind == kind {
			n++
		}
	}
	return n
}

// text returns the text of all messages so far.
func (e *editor) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all strings.Builder
	for _, m := range e.messages {
		all.WriteString(m.text())
	}
	return all.String()
}
