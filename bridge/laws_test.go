package bridge_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/schema"
)

// laws are the rules for every line of every transcript:
//
//   - it is valid against the schema;
//   - each of the editor's requests is answered once, and nothing else is;
//   - each of the bridge's requests has a unique id;
//   - no message about a session comes before the response that names it, or after the
//     response to session/close, except that a terminal is released that the editor
//     created too late;
//   - tool calls, plans and messages come while a prompt of their session runs, and a
//     tool call is announced before anything else is sent about it;
//   - no message about a sub-agent's session comes before its parent has announced it,
//     and it runs while its parent does;
//   - while a session is loaded nothing is asked, and every announced call has ended by
//     the response;
//   - when the last prompt of a session is answered as cancelled, every tool call
//     announced since the previous prompt has ended.
type laws struct {
	t         *testing.T
	open      map[string]request         // the editor's requests, by id
	asked     map[string]bool            // the bridge's ids
	known     map[string]bool            // sessions
	closed    map[string]bool            // sessions that were known, and were closed
	parents   map[string]string          // by sub-agent session: the session that the editor opened
	announced map[string]bool            // sessions and tool calls
	running   map[string]map[string]bool // by session: the calls that have not ended
	sentSoFar int
}

type request struct {
	method, session string
	at              int // the position among all requests, from 1
}

// addRequest records a request from the editor.
func (l *laws) addRequest(id, method, session string) {
	l.sentSoFar++
	l.open[id] = request{method, session, l.sentSoFar}
}

func newLaws(t *testing.T) *laws {
	return &laws{t: t, open: map[string]request{}, asked: map[string]bool{}, known: map[string]bool{}, closed: map[string]bool{}, parents: map[string]string{}, announced: map[string]bool{}, running: map[string]map[string]bool{}}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		SessionID string `json:"sessionId"`
		Update    struct {
			Type       string `json:"sessionUpdate"`
			SessionID  string `json:"sessionId"`
			ToolCallID string `json:"toolCallId"`
			Status     string `json:"status"`
		} `json:"update"`
		ToolCall struct {
			ToolCallID string `json:"toolCallId"`
		} `json:"toolCall"`
	} `json:"params"`
	Result struct {
		SessionID  string `json:"sessionId"`
		StopReason string `json:"stopReason"`
	} `json:"result"`
	Error json.RawMessage `json:"error"`
}

// sent records the requests in the editor's messages.
func (l *laws) sent(text string) {
	for line := range strings.Lines(text) {
		var r struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal([]byte(line), &r) != nil || r.Method == "" || r.ID == nil {
			continue
		}
		var params struct {
			SessionID string `json:"sessionId"`
		}
		_ = json.Unmarshal(r.Params, &params) // they may be wrong on purpose
		l.addRequest(string(r.ID), r.Method, params.SessionID)
	}
}

// turnUpdates are the kinds of updates that belong to a turn.
var turnUpdates = []string{
	"agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan", "subagent_update", "session_message",
}

func (l *laws) received(text string) {
	l.t.Helper()
	l.valid(text)
	var m message
	require.NoError(l.t, json.Unmarshal([]byte(text), &m), "%s", text)
	if m.Method == "" {
		l.answered(m, text)
		return
	}
	if m.ID != nil {
		require.False(l.t, l.asked[string(m.ID)], "an id is used again: %s", text)
		l.asked[string(m.ID)] = true
	}
	session := m.Params.SessionID
	if session == "" {
		return
	}
	root, isChild := l.parents[session]
	if !isChild {
		root = session
	}
	if child := m.Params.Update.SessionID; m.Params.Update.Type == "subagent_update" {
		require.NotContains(l.t, []string{root, session}, child, "%s", text)
		l.parents[child] = root
	}
	loading := l.loading(root)
	late := m.Method == "terminal/release" && l.closed[root]
	require.True(l.t, l.known[root] || loading || late, "the session is not known: %s", text)
	call := session + "/" + m.Params.Update.ToolCallID
	switch m.Params.Update.Type {
	case "tool_call":
		require.False(l.t, l.announced[call], "a call is announced twice: %s", text)
		l.announced[call] = true
		l.status(m)
	case "tool_call_update":
		require.True(l.t, l.announced[call], "a call is not announced: %s", text)
		l.status(m)
	}
	if m.Method == "session/request_permission" {
		require.True(l.t, l.announced[session+"/"+m.Params.ToolCall.ToolCallID], "a call is not announced: %s", text)
	}
	// Terminals that an agent left open are released when the session is closed.
	isRequest := m.ID != nil && m.Method != "terminal/release"
	// A session that can't be opened again ends between turns.
	isEnd := strings.Contains(text, "> ⚠ This session ended here")
	if !isEnd && (isRequest || slices.Contains(turnUpdates, m.Params.Update.Type)) {
		require.True(l.t, l.prompted(root) || loading && !isRequest, "no prompt runs: %s", text)
	}
}

// answered checks and records the response to a request from the editor.
func (l *laws) answered(m message, text string) {
	l.t.Helper()
	if string(m.ID) == "null" {
		return // it answers a line that is not a message
	}
	r, ok := l.open[string(m.ID)]
	require.True(l.t, ok, "nothing was asked: %s", text)
	delete(l.open, string(m.ID))
	switch {
	case m.Error != nil:
	case m.Result.StopReason == "cancelled" && !l.prompted(r.session):
		l.requireEnded(r.session, text)
	case m.Result.StopReason != "" && m.Result.StopReason != "cancelled":
		delete(l.running, r.session) // a turn that waits for the next prompt may continue
		for child, root := range l.parents {
			if root == r.session {
				delete(l.running, child)
			}
		}
	case r.method == "session/new", r.method == "session/fork":
		l.known[m.Result.SessionID] = true
	case r.method == "session/load", r.method == "session/resume":
		l.requireEnded(r.session, text)
		l.known[r.session] = true
	case r.method == "session/close":
		require.False(l.t, l.promptedBefore(r.session, r.at), "a prompt of a closed session is not answered: %s", text)
		delete(l.known, r.session)
		l.closed[r.session] = true
	}
}

// requireEnded requires that no call of a session or of its sub-agents is open.
func (l *laws) requireEnded(session, text string) {
	l.t.Helper()
	require.Empty(l.t, l.running[session], "calls are open: %s", text)
	for child, root := range l.parents {
		if root == session {
			require.Empty(l.t, l.running[child], "calls of a sub-agent are open: %s", text)
		}
	}
}

// status records whether a call has ended.
func (l *laws) status(m message) {
	session, u := m.Params.SessionID, m.Params.Update
	if l.running[session] == nil {
		l.running[session] = map[string]bool{}
	}
	switch u.Status {
	case "completed", "failed":
		delete(l.running[session], u.ToolCallID)
	case "pending", "in_progress":
		l.running[session][u.ToolCallID] = true
	}
}

func (l *laws) prompted(session string) bool { return l.promptedBefore(session, l.sentSoFar+1) }

// loading reports whether a session is being loaded.
func (l *laws) loading(session string) bool {
	for _, r := range l.open {
		if r.method == "session/load" && r.session == session {
			return true
		}
	}
	return false
}

// promptedBefore reports whether a prompt that was sent before request number at is still
// unanswered.
func (l *laws) promptedBefore(session string, at int) bool {
	for _, r := range l.open {
		if r.method == "session/prompt" && r.session == session && r.at < at {
			return true
		}
	}
	return false
}

// schemas are the schemas of messages that an agent may write.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	text, err := schema.Read(schema.ACPv1)
	if err != nil {
		panic(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("acp.json", document); err != nil {
		panic(err)
	}
	out := map[string]*jsonschema.Schema{}
	for _, name := range []string{"AgentRequest", "AgentResponse", "AgentNotification"} {
		out[name] = c.MustCompile("acp.json#/$defs/" + name)
	}
	return out
})

func (l *laws) valid(text string) {
	l.t.Helper()
	require.True(l.t, strings.HasSuffix(text, "\n"), "half a line: %q", text)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(l.t, err, "%s", text)
	members, ok := v.(map[string]any)
	require.True(l.t, ok, "%s", text)
	kind := "AgentResponse"
	if _, ok := members["method"]; ok {
		kind = "AgentNotification"
		if _, ok := members["id"]; ok {
			kind = "AgentRequest"
		}
	}
	require.NoError(l.t, schemas()[kind].Validate(v), "%s", text)
}
