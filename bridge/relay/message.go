package relay

import (
	"bytes"
	"encoding/json"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Methods that the relay looks into. All others pass unseen.
const (
	methodInitialize = "initialize"
	methodNew        = "session/new"
	methodLoad       = "session/load"
	methodResume     = "session/resume"
	methodFork       = "session/fork"
	methodClose      = "session/close"
	methodDelete     = "session/delete"
	methodList       = "session/list"
	methodSetTitle   = "session/set_title"
	methodPrompt     = "session/prompt"
	methodCancel     = "session/cancel"
	methodUpdate     = "session/update"
	methodPermission = "session/request_permission"
	methodElicit     = "elicitation/create"
	methodCancelCall = "$/cancel_request"
)

// member returns the value of a member of a JSON object, and where it is. It is
// nil where there is none.
func member(object []byte, name string) (value []byte, from, to int) {
	o := rawjson.Walk(object)
	for {
		key, v, ok := o.Next()
		if !ok {
			return value, from, to
		}
		if is(key, name) {
			value = v
			from, to = o.Span()
		}
	}
}

// is reports whether a key, still encoded, is name.
func is(key []byte, name string) bool {
	if bytes.IndexByte(key, '\\') >= 0 {
		return rawjson.String(key).String() == name
	}
	return string(key) == name
}

// text is the string that a JSON value is, or "" where it is none.
func text(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s, err := rawjson.Parse(value)
	if err != nil {
		return ""
	}
	return s.String()
}

// memberText is the text of a member.
func memberText(object []byte, name string) string {
	value, _, _ := member(object, name)
	return text(value)
}

// replaced returns object with the value of one member replaced. It is object
// itself where that has no such member.
func replaced(object []byte, name string, value []byte) []byte {
	old, from, to := member(object, name)
	if old == nil {
		return object
	}
	out := make([]byte, 0, len(object)+len(value)-len(old))
	out = append(out, object[:from]...)
	out = append(out, value...)
	return append(out, object[to:]...)
}

// quoted is a string as JSON.
func quoted(s string) []byte { return rawjson.AppendString([]byte(nil), s) }

// requestLine is the line of a request, or of a notification where id is nil.
func requestLine(id []byte, method string, params []byte) []byte {
	out := make([]byte, 0, len(params)+len(method)+64)
	out = append(out, `{"jsonrpc":"2.0"`...)
	if id != nil {
		out = append(append(out, `,"id":`...), id...)
	}
	out = append(out, `,"method":`...)
	out = rawjson.AppendString(out, method)
	if params != nil {
		out = append(append(out, `,"params":`...), params...)
	}
	return append(out, '}')
}

// responseLine is the line of a response whose outcome is a result or an error.
func responseLine(id []byte, outcome string, value []byte) []byte {
	out := make([]byte, 0, len(value)+len(id)+48)
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = append(append(append(out, `,"`...), outcome...), `":`...)
	return append(append(out, value...), '}')
}

const (
	outcomeResult = "result"
	outcomeError  = "error"
)

// encode encodes a value of ours.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // strings, numbers and JSON alone: it cannot be
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// withoutMember is object without a member.
func withoutMember(object []byte, name string) []byte {
	out := []byte{'{'}
	o := rawjson.Walk(object)
	for {
		key, value, ok := o.Next()
		if !ok {
			return append(out, '}')
		}
		if is(key, name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), `":`...)
		out = append(out, value...)
	}
}
