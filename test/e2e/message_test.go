//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// A message is one line that Turnwire wrote.
type message struct {
	line    string
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		SessionID string          `json:"sessionId"`
		Update    sessionUpdate   `json:"update"`
		Options   []option        `json:"options"`
		RequestID json.RawMessage `json:"requestId"`
	} `json:"params"`
	Result struct {
		SessionID  string `json:"sessionId"`
		StopReason string `json:"stopReason"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    struct {
			Details string `json:"details"`
			Code    string `json:"code"`
		} `json:"data"`
	} `json:"error"`
}

type option struct {
	ID   string `json:"optionId"`
	Kind string `json:"kind"`
	Name string `json:"name"`
}

type sessionUpdate struct {
	Kind       string          `json:"sessionUpdate"`
	Status     string          `json:"status"`
	ToolCallID string          `json:"toolCallId"`
	Content    json.RawMessage `json:"content"`
}

// parse parses a line of stdout. It returns an error unless the line is exactly
// one JSON-RPC object.
func parse(line []byte) (message, error) {
	m := message{line: string(line)}
	text, whole := bytes.CutSuffix(line, []byte("\n"))
	if !whole {
		return m, fmt.Errorf("half a line on stdout: %.200q", line)
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Version != "2.0" {
		return m, fmt.Errorf("no JSON-RPC on stdout (%w): %.200q", err, line)
	}
	return m, nil
}

// text returns the text of an agent_message_chunk.
func (m message) text() string {
	if m.Params.Update.Kind != "agent_message_chunk" {
		return ""
	}
	var block struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(m.Params.Update.Content, &block) != nil {
		return ""
	}
	return block.Text
}

func (m message) isAnswer(id int) bool {
	return m.Method == "" && string(m.ID) == strconv.Itoa(id)
}

func contains(raw json.RawMessage, text string) bool { return bytes.Contains(raw, []byte(text)) }
