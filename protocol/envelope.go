package protocol

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// members are the members of a message that jsonrpc2 looks for, in any letter
// case.
type members struct {
	ID     json.RawMessage `json:"id"`
	Method json.RawMessage `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc2.Error `json:"error"`
	Meta   json.RawMessage `json:"meta"`
}

// envelope holds the members of a message that JSON-RPC defines.
type envelope struct {
	version, id, method, params, result, error []byte
}

// open decodes line. It fails if line is not one JSON object.
func open(line []byte) (envelope, error) {
	var e envelope
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return e, o.Err()
		}
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(rawjson.String(key).String())
		}
		switch string(key) {
		case "jsonrpc":
			e.version = value
		case "id":
			e.id = value
		case "method":
			e.method = value
		case "params":
			e.params = value
		case "result":
			e.result = value
		case "error":
			e.error = value
		}
	}
}

func (e *envelope) isResponse() bool {
	return e.method == nil && (e.result != nil || e.error != nil)
}

// check returns nil if jsonrpc2 can handle the message.
func (e *envelope) check() *Error {
	switch {
	case string(e.version) != `"2.0"`:
		return Errorf(CodeInvalidRequest, `jsonrpc must be "2.0"`)
	case e.method == nil && !e.isResponse():
		return Errorf(CodeInvalidRequest, "a message has a method, a result or an error")
	case e.method != nil && e.method[0] != '"':
		return Errorf(CodeInvalidRequest, "method must be a string")
	case e.method != nil && (e.result != nil || e.error != nil):
		return Errorf(CodeInvalidRequest, "a request has neither a result nor an error")
	case e.id == nil && e.method != nil:
		return nil // a notification
	case e.isResponse() && string(e.id) == "null":
		return Errorf(CodeInvalidRequest, "the peer reports an error of its own: %s", e.error)
	case !exact(e.id):
		return Errorf(CodeInvalidRequest, "id must be a string or an integer from 0 to %d", int64(math.MaxInt64))
	}
	return nil
}

// exact reports whether jsonrpc2 echoes the id unchanged.
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

// echo returns the id for an answer: the message's own if the schema's
// `RequestId` allows it, and null otherwise.
func (e *envelope) echo() []byte {
	if exact(e.id) {
		return e.id
	}
	if _, err := strconv.ParseInt(string(e.id), 10, 64); err == nil {
		return e.id
	}
	return nullID
}

// repaired replaces an error that is not a JSON-RPC error by one that is: the
// call that waits for the answer must learn that it failed.
func (e *envelope) repaired(line []byte) []byte {
	if e.error == nil || e.result != nil && string(e.error) == "null" {
		return line
	}
	var wire struct {
		Code    *int64  `json:"code"`
		Message *string `json:"message"`
	}
	if exactjson.Unmarshal(e.error, &wire) == nil && wire.Code != nil {
		return line
	}
	return e.failure()
}

// failure returns the response that replaces a malformed one.
func (e *envelope) failure() []byte {
	return []byte(`{"jsonrpc":"2.0","id":` + string(e.id) + `,"error":{"code":-32603,"message":"malformed response"}}`)
}
