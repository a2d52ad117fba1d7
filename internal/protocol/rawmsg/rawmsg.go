// Package rawmsg parses and builds JSON-RPC messages as bytes, for code that passes
// them on: members that it does not know stay unchanged.
//
// Contract: arguments are valid JSON, as passed on by [protocol.Stream.Messages]; only
// the argument of [Parse] need not be. No function modifies its arguments.
package rawmsg

import (
	"bytes"
	"encoding/json"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Member returns the value of a member of a JSON object, and its position. If there is
// no such member, value is nil.
func Member(object []byte, name string) (value []byte, from, to int) {
	o := rawjson.Walk(object)
	for {
		key, v, ok := o.Next()
		if !ok {
			return value, from, to
		}
		if Is(key, name) {
			value = v
			from, to = o.Span()
		}
	}
}

// Is reports whether key, which is still escaped, equals name.
func Is(key []byte, name string) bool {
	if bytes.IndexByte(key, '\\') >= 0 {
		return rawjson.String(key).String() == name
	}
	return string(key) == name
}

// Text returns the string in a JSON value, or "" if the value is not a string.
func Text(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	s, err := rawjson.Parse(value)
	if err != nil {
		return ""
	}
	return s.String()
}

// MemberText returns the string in a member, or "".
func MemberText(object []byte, name string) string {
	value, _, _ := Member(object, name)
	return Text(value)
}

// Replace returns object with the value of a member replaced. If there is no such
// member, it returns object itself.
func Replace(object []byte, name string, value []byte) []byte {
	old, from, to := Member(object, name)
	if old == nil {
		return object
	}
	out := make([]byte, 0, len(object)+len(value)-len(old))
	out = append(out, object[:from]...)
	out = append(out, value...)
	return append(out, object[to:]...)
}

// Set returns object with a member set. It replaces an existing member, or appends a
// new one.
func Set(object []byte, name string, value []byte) []byte {
	if old, _, _ := Member(object, name); old != nil {
		return Replace(object, name, value)
	}
	end := bytes.LastIndexByte(object, '}')
	out := make([]byte, 0, len(object)+len(name)+len(value)+4)
	out = append(out, object[:end]...)
	if o := rawjson.Walk(object); has(&o) {
		out = append(out, ',')
	}
	out = append(append(append(out, Quote(name)...), ':'), value...)
	return append(out, object[end:]...)
}

// has reports whether an object has any member.
func has(o *rawjson.Object) bool { _, _, ok := o.Next(); return ok }

// Quote returns a string as JSON.
func Quote(s string) []byte { return rawjson.AppendString([]byte(nil), s) }

// Request returns the line of a request, or of a notification if id is nil.
func Request(id []byte, method string, params []byte) []byte {
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

// Response returns the line of a response. outcome is [Result] or [Error].
func Response(id []byte, outcome string, value []byte) []byte {
	out := make([]byte, 0, len(value)+len(id)+48)
	out = append(append(out, `{"jsonrpc":"2.0","id":`...), id...)
	out = append(append(append(out, `,"`...), outcome...), `":`...)
	return append(append(out, value...), '}')
}

// The outcomes of a request, as members of its response.
const (
	Result = "result"
	Error  = "error"
)

// Encode encodes one of our own values.
func Encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // can't happen: they contain only strings, numbers and JSON
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Without returns object without a member.
func Without(object []byte, name string) []byte {
	out := []byte{'{'}
	o := rawjson.Walk(object)
	for {
		key, value, ok := o.Next()
		if !ok {
			return append(out, '}')
		}
		if Is(key, name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), `":`...)
		out = append(out, value...)
	}
}
