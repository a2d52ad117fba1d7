package dialects

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// laws checks what holds for everything that an editor receives for a stream:
//
//   - every line is valid against the schema;
//   - each turn has one response, and nothing that belongs to a turn follows the
//     last one;
//   - a tool call is announced once, before any update of it, and has ended when
//     its turn is answered;
//   - each request has a unique id;
//   - every piece of a message names the message.
type laws struct {
	t       *testing.T
	ended   map[string]bool // tool calls
	asked   map[string]bool // request ids
	answers int
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Update struct {
			Type       string `json:"sessionUpdate"`
			ToolCallID string `json:"toolCallId"`
			Status     string `json:"status"`
			MessageID  string `json:"messageId"`
		} `json:"update"`
		ToolCall struct {
			ToolCallID string `json:"toolCallId"`
		} `json:"toolCall"`
	} `json:"params"`
	Result struct {
		StopReason string `json:"stopReason"`
	} `json:"result"`
	Error json.RawMessage `json:"error"`
}

// ofTurn are the updates that belong to a turn.
var ofTurn = []string{"agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"}

// lawful checks the laws that are the same for every stream.
func lawful(t *testing.T, r result) {
	t.Helper()
	for i, e := range r.events {
		require.True(t, utf8.ValidString(e), "%s", e)
		require.True(t, json.Valid([]byte(e)), "%s", e)
		valid(t, eventSchema(), r.events[i])
	}
	l := laws{t: t, ended: map[string]bool{}, asked: map[string]bool{}}
	open := false
	for _, text := range r.v1 {
		m := parse(t, text)
		valid(t, messageSchema(m), text)
		l.handle(m, text)
		open = m.Method != "" && (open || m.ID != nil || slices.Contains(ofTurn, m.Params.Update.Type))
	}
	require.False(t, open, "a turn has no answer")
}

func (l *laws) handle(m message, text string) {
	l.t.Helper()
	u := m.Params.Update
	_, announced := l.ended[u.ToolCallID]
	switch {
	case m.Method == "":
		l.answers++
		require.Equal(l.t, strconv.Itoa(l.answers), string(m.ID), "%s", text)
		for id, ended := range l.ended {
			require.True(l.t, ended, "%s has not ended: %s", id, text)
		}
	case m.ID != nil:
		require.False(l.t, l.asked[string(m.ID)], "an id is used again: %s", text)
		l.asked[string(m.ID)] = true
		require.Contains(l.t, l.ended, m.Params.ToolCall.ToolCallID, "a call is not announced: %s", text)
	case u.Type == "tool_call":
		require.False(l.t, announced, "a call is announced twice: %s", text)
		l.ended[u.ToolCallID] = ends(u.Status)
	case u.Type == "tool_call_update":
		require.True(l.t, announced, "a call is not announced: %s", text)
		if u.Status != "" {
			l.ended[u.ToolCallID] = ends(u.Status)
		}
	case u.Type == "agent_message_chunk" || u.Type == "agent_thought_chunk":
		require.NotEmpty(l.t, u.MessageID, "%s", text)
	}
}

func ends(status string) bool { return status == "completed" || status == "failed" }

func parse(t *testing.T, text string) message {
	t.Helper()
	var m message
	require.NoError(t, json.Unmarshal([]byte(text), &m), "%s", text)
	return m
}
