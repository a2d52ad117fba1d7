package main

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// message is what a bridge sends, as far as the bench looks at it.
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

// mark is what every update has near its beginning and no answer has.
var mark = []byte(`"session/update"`)

// markWithin is the number of bytes that mark is looked for in.
const markWithin = 80

// isUpdate tells updates from everything else without parsing the line. It
// may say no to an update that is written in an unusual order: then the line
// is parsed.
func isUpdate(line []byte) bool {
	return bytes.Contains(line[:min(len(line), markWithin)], mark)
}

// answer parses a line that is no update. It returns nil where the line is
// not the answer to a request.
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
