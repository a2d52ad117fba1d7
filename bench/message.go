package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// message has the members of a bridge's messages that the bench uses.
type message struct {
	ID     *int64          `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d %s %s", e.Code, e.Message, e.Data) }

// mark occurs near the beginning of every update, and in no response.
var mark = []byte(`"session/update"`)

// markWithin is how many bytes are searched for mark.
const markWithin = 80

// isUpdate detects updates without parsing the line. It may return false for an update
// with an unusual member order; such a line is parsed.
func isUpdate(line []byte) bool {
	return bytes.Contains(line[:min(len(line), markWithin)], mark)
}

// answer parses a line that is not an update. It returns nil if the line is not a
// response.
func answer(line []byte) (*message, error) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		return nil, fmt.Errorf("line from the bridge: %w", err)
	}
	if m.Method != "" {
		return nil, nil
	}
	if m.ID == nil {
		return nil, fmt.Errorf("answer without an id: %s", line)
	}
	return &m, nil
}
