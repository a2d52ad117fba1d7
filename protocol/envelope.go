package protocol

import (
	"encoding/json"
	"math"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
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
	case !rawmsg.IsExact(e.ID):
		return Errorf(CodeInvalidRequest, "id must be a string or an integer from 0 to %d", int64(math.MaxInt64))
	}
	return nil
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
