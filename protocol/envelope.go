package protocol

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// members are the message members that jsonrpc2 looks for, in any letter case.
type members struct {
	ID     json.RawMessage `json:"id"`
	Method json.RawMessage `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc2.Error `json:"error"`
	Meta   json.RawMessage `json:"meta"`
}

// An envelope is a message that was not checked yet.
type envelope struct{ rawmsg.Message }

// check returns nil if the message is valid JSON-RPC 2.0 with an id that can be echoed.
// parsed is the error from parsing it.
func (e *envelope) check(parsed error) *Error {
	switch {
	case string(e.Version) != `"2.0"`:
		return Errorf(CodeInvalidRequest, `jsonrpc must be "2.0"`)
	case parsed != nil:
		return Errorf(CodeInvalidRequest, "%w", parsed)
	case e.Method == "" && !e.IsResponse():
		return Errorf(CodeInvalidRequest, "a message has a method, a result or an error")
	case e.Method != "" && (e.Result != nil || e.Error != nil):
		return Errorf(CodeInvalidRequest, "a request has neither a result nor an error")
	case e.ID == nil && e.Method != "":
		return nil // a notification
	case e.IsResponse() && string(e.ID) == "null":
		return Errorf(CodeInvalidRequest, "the peer reports an error: %s", e.Error)
	case !exact(e.ID):
		return Errorf(CodeInvalidRequest, "id must be a string or an integer from 0 to %d", int64(math.MaxInt64))
	}
	return nil
}

// exact reports whether id is a string or an integer that Go programs echo unchanged.
func exact(id []byte) bool {
	if len(id) == 0 {
		return false
	}
	if id[0] == '"' {
		s, err := rawjson.Parse(id)
		return err == nil && utf8.Valid(s) && bytes.Equal(s.Clean(), s)
	}
	n, err := strconv.ParseUint(string(id), 10, 63)
	return err == nil && strconv.FormatUint(n, 10) == string(id)
}

// echo returns the id for the response: the message's own id if the schema's
// `RequestId` allows it, otherwise null.
func (e *envelope) echo() []byte {
	if exact(e.ID) {
		return e.ID
	}
	if _, err := strconv.ParseInt(string(e.ID), 10, 64); err == nil {
		return e.ID
	}
	return nullID
}

// repaired replaces an error that is not a JSON-RPC error with one that is, so that the
// waiting caller learns of the failure.
func (e *envelope) repaired(line []byte) []byte {
	if e.Error == nil || e.Result != nil && string(e.Error) == "null" {
		return line
	}
	var wire struct {
		Code    *int64  `json:"code"`
		Message *string `json:"message"`
	}
	if exactjson.Unmarshal(e.Error, &wire) == nil && wire.Code != nil {
		return line
	}
	return e.failure()
}

// failure returns the response that replaces a malformed one.
func (e *envelope) failure() []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(e.ID) + `,"error":{"code":-32603,"message":"malformed response"}}`)
}
