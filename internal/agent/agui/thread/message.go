package thread

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A message is a message of any role. Its JSON is that of AG-UI.
type message struct {
	ID                 string          `json:"id"`
	Role               string          `json:"role"`
	Name               string          `json:"name,omitempty"`
	Content            json.RawMessage `json:"content,omitempty"` // a list of parts; nil if text holds the content
	ToolCalls          []*call         `json:"toolCalls,omitempty"`
	ToolCallID         string          `json:"toolCallId,omitempty"`
	Error              string          `json:"error,omitempty"`
	EncryptedValue     string          `json:"encryptedValue,omitempty"`
	EncryptedValueType string          `json:"encryptedValueType,omitempty"`
	SubagentRunID      string          `json:"subagentRunId,omitempty"`

	text     rawjson.String
	streamed bool // the user has seen it
}

// A call is a tool call of an assistant's message.
type call struct {
	ID                 string   `json:"id"`
	Type               string   `json:"type"`
	Function           function `json:"function"`
	EncryptedValue     string   `json:"encryptedValue,omitempty"`
	EncryptedValueType string   `json:"encryptedValueType,omitempty"`

	whole bool // the model has finished writing it
}

// isWhole reports whether the model has finished writing the call.
func (c *call) isWhole() bool {
	args := c.Function.Arguments.String()
	return c.whole && (args == "" || json.Valid([]byte(args)))
}

type function struct {
	Name      string         `json:"name"`
	Arguments rawjson.String `json:"arguments"`
}

// plain has the members of a message, but not its methods.
type plain message

// MarshalJSON implements [json.Marshaler].
func (m *message) MarshalJSON() ([]byte, error) {
	p := plain(*m)
	p.ToolCalls = nil
	for _, c := range m.ToolCalls {
		if c.whole {
			sent := *c
			sent.Function.Arguments = c.Function.Arguments.Clean()
			p.ToolCalls = append(p.ToolCalls, &sent)
		}
	}
	if p.Content == nil && (len(m.text) > 0 || m.Role != "assistant") {
		p.Content = json.RawMessage(`"` + string(m.text.Clean()) + `"`)
	}
	return json.Marshal(&p)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *message) UnmarshalJSON(raw []byte) error {
	var p plain
	if err := exactjson.Unmarshal(raw, &p); err != nil {
		return err
	}
	*m = message(p)
	m.ToolCalls = slices.DeleteFunc(m.ToolCalls, func(c *call) bool { return c == nil })
	for _, c := range m.ToolCalls {
		c.whole = true
	}
	if len(m.Content) > 0 && m.Content[0] == '"' {
		text, err := rawjson.Parse(m.Content)
		if err != nil {
			return err
		}
		m.text, m.Content = slices.Clone(text), nil
	}
	if string(m.Content) == "null" {
		m.Content = nil
	}
	return nil
}

// IsUser implements [conversation.Message].
func (m *message) IsUser() bool { return m.Role == "user" }

// Encode implements [conversation.Message].
func (m *message) Encode(media bool) json.RawMessage {
	if !m.isSent() {
		return nil
	}
	if !media {
		m = m.withoutMedia()
	}
	return encode(m)
}

// withoutMedia returns the message with only the text of its content.
func (m *message) withoutMedia() *message {
	if m.Content == nil {
		return m
	}
	var parts []struct {
		Text rawjson.String `json:"text"`
	}
	plain := *m
	plain.Content = nil
	if exactjson.Unmarshal(m.Content, &parts) == nil {
		for _, p := range parts {
			plain.text = append(plain.text, p.Text...)
		}
	}
	return &plain
}

// isSent reports whether the server gets the message. An assistant's message may
// be empty if only its calls follow.
func (m *message) isSent() bool {
	switch m.Role {
	case "assistant":
		return m.Content != nil || len(m.text) > 0 || slices.ContainsFunc(m.ToolCalls, func(c *call) bool { return c.whole })
	case "reasoning":
		return m.EncryptedValue != ""
	}
	return true
}

// find returns the message of this turn with this id, or nil.
func (t *Thread) find(id string) *message { return find(t.turn(), id) }

func find(messages []*message, id string) *message {
	for _, m := range slices.Backward(messages) {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// findCall returns the call of this turn with this id, or nil.
func (t *Thread) findCall(id string) *call {
	if t.call != nil && t.call.ID == id {
		return t.call
	}
	for _, m := range slices.Backward(t.turn()) {
		for _, c := range m.ToolCalls {
			if c.ID == id {
				return c
			}
		}
	}
	return nil
}

// begin starts a message, or continues one that has ended.
func (t *Thread) begin(l *dialect.Line, role string) {
	id := l.OptionalKey("messageId")
	role = cmp.Or(l.OptionalKey("role"), role)
	m := t.find(id)
	if m == nil || m.Role != role {
		m = t.add(&message{ID: id, Role: role, Name: l.OptionalKey("name"), SubagentRunID: l.OptionalKey("subagentRunId")})
	}
	if role != "reasoning" {
		t.current = m
	}
}

// add adds a message, and returns it. It returns nil if there is no room for it.
func (t *Thread) add(m *message) *message {
	if t.size += conversation.Overhead; t.size > maxSize {
		return nil
	}
	t.All = append(t.All, m)
	return m
}

// append appends a piece to a message, if there is such a message.
func (t *Thread) append(m *message, l *dialect.Line) {
	if piece := t.piece(l, "delta"); m != nil && m.Content == nil {
		m.text, m.streamed = append(m.text, piece...), true
	}
}

func (t *Thread) appendArgs(c *call, l *dialect.Line) {
	if piece := t.piece(l, "delta"); c != nil {
		c.Function.Arguments = append(c.Function.Arguments, piece...)
	}
}

// piece returns the text of a member, unless the conversation has no room for it.
func (t *Thread) piece(l *dialect.Line, name string) rawjson.String {
	piece := conversation.Piece(l, name)
	if t.size+len(piece) > maxSize {
		return nil
	}
	t.size += len(piece)
	return piece
}

// beginCall adds a call to the message that it names, or to the assistant's last
// message.
func (t *Thread) beginCall(l *dialect.Line) {
	id, parent, run := l.OptionalKey("toolCallId"), l.OptionalKey("parentMessageId"), l.OptionalKey("subagentRunId")
	if t.call = t.findCall(id); t.call != nil {
		if t.call.isWhole() && len(t.call.Function.Arguments) > 0 {
			t.call.Function.Arguments = nil // nothing can follow them: the server repeats the call
		}
		return
	}
	if t.shown == nil {
		t.shown = make(map[string]bool)
	}
	t.shown[id] = true
	m := t.find(parent)
	if last := len(t.All) - 1; m == nil && parent == "" && last >= 0 {
		m = t.All[last]
	}
	if m == nil || m.Role != "assistant" || m.SubagentRunID != run {
		if parent == "" || m != nil && parent == m.ID {
			parent = id
		}
		m = t.add(&message{ID: parent, Role: "assistant", SubagentRunID: run})
	}
	if t.size += conversation.Overhead; m == nil || t.size > maxSize {
		return
	}
	t.call = &call{ID: id, Type: "function", Function: function{Name: l.OptionalKey("toolCallName")}}
	m.ToolCalls = append(m.ToolCalls, t.call)
}

// result adds a call's result. A call has only one.
func (t *Thread) result(l *dialect.Line) {
	id, call, content := l.OptionalKey("messageId"), l.OptionalKey("toolCallId"), l.Raw("content")
	var m *message
	for _, other := range t.turn() {
		if other.Role == "tool" && other.ToolCallID == call {
			m = other
		}
	}
	if m == nil {
		if id == "" || t.find(id) != nil {
			id = "result-" + call
		}
		if m = t.add(&message{ID: id, Role: "tool", ToolCallID: call, SubagentRunID: l.OptionalKey("subagentRunId")}); m == nil {
			return
		}
	}
	m.streamed = true
	if len(content) > 0 && content[0] == '[' && len(content) <= maxSize-t.size {
		t.size += len(content)
		m.Content, m.text = slices.Clone(content), nil
		return
	}
	m.Content, m.text = nil, slices.Clone(t.piece(l, "content"))
}

// encrypted stores a value that only the server can read with the message or the
// call that it belongs to.
func (t *Thread) encrypted(l *dialect.Line) {
	id, value, kind := l.OptionalKey("entityId"), l.OptionalKey("encryptedValue"), l.OptionalKey("encryptedValueType")
	if l.OptionalKey("subtype") == "tool-call" {
		if c := t.findCall(id); c != nil {
			c.EncryptedValue, c.EncryptedValueType = value, kind
		}
	} else if m := t.find(id); m != nil {
		m.EncryptedValue, m.EncryptedValueType = value, kind
	}
}

// reconcile adopts a snapshot of all messages. Messages that are already known
// keep their place. Other messages are dropped, except reasoning, which few
// servers track.
func (t *Thread) reconcile(snapshot []*message) {
	whole := t.from == t.user // unless the turn has not begun with its message yet
	if t.user < len(t.All) {
		defer func(user *message) {
			t.user = max(0, slices.IndexFunc(t.All, func(m *message) bool { return m.ID == user.ID }))
			if t.from = len(t.All); whole {
				t.from = t.user
			}
		}(t.All[t.user])
	}
	byID := make(map[string]*message)
	reasons := false
	var added []*message
	for _, m := range snapshot {
		if m == nil || m.Role == "activity" || byID[m.ID] != nil {
			continue
		}
		reasons = reasons || m.Role == "reasoning"
		byID[m.ID] = m
		if old := find(t.All, m.ID); old == nil {
			added = append(added, m)
			m.streamed = len(m.text) > 0 && slices.ContainsFunc(t.All, func(old *message) bool {
				return old.streamed && old.Role == m.Role && string(old.text) == string(m.text)
			})
		} else {
			m.streamed = old.streamed
		}
	}
	var messages []*message
	for _, m := range t.All {
		if restated := byID[m.ID]; restated != nil {
			messages = append(messages, restated)
			delete(byID, m.ID) // an id that is used twice is kept once
		} else if m.Role == "reasoning" && !reasons {
			messages = append(messages, m)
		}
	}
	t.All, t.current, t.call = slices.Concat(messages, added), nil, nil
}
