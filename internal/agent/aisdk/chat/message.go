package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxMessage limits the agent's message, in bytes of its stream.
const maxMessage = 32 << 20

var errTooLong = errors.New("the agent's message is too long to continue the conversation with it")

// A part of a UI message.
type part map[string]any

// A text grows with its pieces, which may end with half of a surrogate pair.
type text struct{ all rawjson.String }

// MarshalJSON implements [json.Marshaler].
func (t *text) MarshalJSON() ([]byte, error) {
	return append(append([]byte{'"'}, t.all.Clean()...), '"'), nil
}

// A message is the agent's message of a turn, as the AI SDK's own client builds it.
type message struct {
	id       string
	metadata json.RawMessage
	parts    []part
	open     map[string]*text // unfinished texts and reasonings, by kind and id
	size     int
}

// chunk is an element of a stream.
type chunk struct {
	Type        string          `json:"type"`
	ID          string          `json:"id"`
	MessageID   string          `json:"messageId"`
	Delta       agent.Text      `json:"delta"`
	ToolCallID  string          `json:"toolCallId"`
	ToolName    string          `json:"toolName"`
	ApprovalID  string          `json:"approvalId"`
	ErrorText   string          `json:"errorText"`
	Dynamic     bool            `json:"dynamic"`
	Preliminary bool            `json:"preliminary"`
	Executed    bool            `json:"providerExecuted"`
	Approved    bool            `json:"approved"`
	Transient   bool            `json:"transient"`
	Metadata    json.RawMessage `json:"messageMetadata"`
	Provider    json.RawMessage `json:"providerMetadata"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
	Reason      json.RawMessage `json:"reason"`
	Automatic   json.RawMessage `json:"isAutomatic"`
	Signature   json.RawMessage `json:"signature"`
	Descriptor  json.RawMessage `json:"approvalDescriptor"`
	SchemaInput json.RawMessage `json:"inputSchemaInput"`
}

// add adds an element of the stream, and returns its type.
func (m *message) add(line []byte) (kind string, err error) {
	var c chunk
	if exactjson.Unmarshal(line, &c) != nil {
		return "", nil //nolint:nilerr // it is no event either
	}
	if clean := rawjson.CleanValue(line); c.Delta.IsZero() && !bytes.Equal(clean, line) {
		line, c = clean, chunk{}
		_ = exactjson.Unmarshal(clean, &c) // it could be decoded before
	}
	if m.size += len(line); m.size > maxMessage {
		return "", errTooLong
	}
	switch name, rest, _ := strings.Cut(c.Type, "-"); {
	case c.Type == "start", c.Type == "finish", c.Type == "message-metadata":
		if c.MessageID != "" {
			m.id = c.MessageID
		}
		if c.Metadata != nil {
			m.metadata = c.Metadata
		}
	case c.Type == "start-step":
		m.parts = append(m.parts, part{"type": "step-start"})
	case c.Type == "finish-step":
		clear(m.open)
	case c.Type == "reset-step":
		at := len(m.parts)
		for at > 0 && m.parts[at-1]["type"] != "step-start" {
			at--
		}
		m.parts = m.parts[:at]
	case name == "text", name == "reasoning" && rest != "file":
		m.addText(name, rest, &c)
	case name == "tool":
		m.addTool(rest, &c)
	case name == "source", c.Type == "file", c.Type == "reasoning-file", name == "data" && !c.Transient:
		m.addWhole(line, &c)
	}
	return c.Type, nil
}

// addText adds a piece of an answer or of a thought.
func (m *message) addText(kind, what string, c *chunk) {
	key := kind + c.ID
	switch what {
	case "start":
		t := new(text)
		if m.open == nil {
			m.open = make(map[string]*text)
		}
		m.open[key] = t
		m.parts = append(m.parts, part{"type": kind, "text": t, "state": "done"}.with("providerMetadata", c.Provider))
	case "delta":
		if t := m.open[key]; t != nil {
			t.all = append(t.all, rawjson.Body(c.Delta)...)
		}
	case "end": // its metadata may have the signature of a thought
		t := m.open[key]
		if at := slices.IndexFunc(m.parts, func(p part) bool { return p["text"] == t }); t != nil && at >= 0 {
			m.parts[at].with("providerMetadata", c.Provider)
		}
		delete(m.open, key)
	}
}

// addWhole adds a part that is like its element. Data with an id replaces earlier data.
func (m *message) addWhole(line []byte, c *chunk) {
	var whole map[string]json.RawMessage
	if exactjson.Unmarshal(line, &whole) != nil {
		return
	}
	p := part{}
	for name, value := range whole {
		p[name] = value
	}
	p["type"], p["id"] = c.Type, c.ID
	if c.ID == "" {
		delete(p, "id")
	}
	same := func(o part) bool { return o["type"] == c.Type && o["id"] == c.ID }
	if at := slices.IndexFunc(m.parts, same); at >= 0 && c.ID != "" {
		m.parts[at] = p
		return
	}
	m.parts = append(m.parts, p)
}

// with sets a member, unless it is missing.
func (p part) with(name string, value json.RawMessage) part {
	if value != nil {
		p[name] = value
	}
	return p
}
