package sim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// A message is a JSON-RPC message between a client and the server.
type message struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  json.RawMessage

	line   string
	params params
	result result
}

// params has the params that the laws need, of all methods.
type params struct {
	SessionID  string          `json:"sessionId"`
	TerminalID string          `json:"terminalId"`
	RequestID  json.RawMessage `json:"requestId"`
	Cwd        json.RawMessage `json:"cwd"` // not always a text
	Update     struct {
		Type       string  `json:"sessionUpdate"`
		Content    content `json:"content"`
		ToolCallID string  `json:"toolCallId"`
		MessageID  string  `json:"messageId"`
		Status     string  `json:"status"`
		Title      string  `json:"title"`
		CursorID   string  `json:"cursorId"`
		SessionID  string  `json:"sessionId"` // of a sub-agent
		State      struct {
			State string `json:"state"`
		} `json:"state"`
		Capabilities struct {
			Fork *struct{} `json:"fork"`
		} `json:"capabilities"`
		Anchor struct {
			MessageID string `json:"messageId"`
		} `json:"anchor"`
	} `json:"update"`
	ToolCall struct {
		ToolCallID string `json:"toolCallId"`
	} `json:"toolCall"`
	Options       []option  `json:"options"`
	Prompt        []content `json:"prompt"`
	Role          string    `json:"role"`
	HistoryPolicy string    `json:"historyPolicy"`
	System        struct {
		Content []content `json:"content"`
	} `json:"systemPrompt"`
	Path          string `json:"path"`
	Content       string `json:"content"`
	ElicitationID string `json:"elicitationId"`
	Announcement  string `json:"announcement"` // the event of a notification without a session
	Poll          string `json:"poll"`         // the id of a request without a session
}

// content is a block of text; the content of a tool call, which is a list, is skipped.
type content struct{ Text string }

// UnmarshalJSON implements [json.Unmarshaler].
func (c *content) UnmarshalJSON(raw []byte) error {
	var block struct {
		Text string `json:"text"`
	}
	if len(raw) > 0 && raw[0] == '{' {
		if err := exactjson.Unmarshal(raw, &block); err != nil {
			return fmt.Errorf("content: %w", err)
		}
	}
	c.Text = block.Text
	return nil
}

// An option is a choice in a permission request.
type option struct {
	ID   string `json:"optionId"`
	Kind string `json:"kind"`
}

func (o option) allows() bool { return o.Kind == "allow_once" || o.Kind == "allow_always" }

// result has the members of responses that the laws need.
type result struct {
	SessionID  string          `json:"sessionId"`
	StopReason string          `json:"stopReason"`
	Outcome    json.RawMessage `json:"outcome"` // a string, or an object
	NextCursor string          `json:"nextCursor"`
	Sessions   []struct {
		SessionID string `json:"sessionId"`
	} `json:"sessions"`
	History []struct {
		Method string `json:"method"`
		Params params `json:"params"`
	} `json:"history"`
}

// parse parses a line.
func parse(line string) (*message, error) {
	var wire struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params params          `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := exactjson.Unmarshal([]byte(line), &wire); err != nil {
		return nil, fmt.Errorf("not a message: %w: %s", err, line)
	}
	m := &message{ID: wire.ID, Method: wire.Method, Result: wire.Result, Error: wire.Error, line: line, params: wire.Params}
	if len(m.Result) > 0 && m.Result[0] == '{' {
		if err := exactjson.Unmarshal(m.Result, &m.result); err != nil {
			return nil, fmt.Errorf("result: %w: %s", err, line)
		}
	}
	return m, nil
}

// isRequest reports whether the message is a request.
func (m *message) isRequest() bool { return m.Method != "" && len(m.ID) > 0 }

// isEnding reports whether the message is a response that only says that the server ends the
// connection.
func (m *message) isEnding() bool {
	return len(m.Error) > 0 && (strings.Contains(m.line, "the connection is ending") || strings.Contains(m.line, "the connection to the agent ended"))
}

// encode encodes a value. It panics if it can't.
func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // only values of this package are encoded
	}
	return text
}

// object is a JSON object.
type object map[string]any
