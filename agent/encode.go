package agent

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// AppendJSON appends the event's native JSON, without a newline. "type" comes
// first, then the members of its type in the order of the Go fields, then its
// extra members. An [Unknown] event is appended unchanged.
func AppendJSON(dst []byte, e Event) []byte {
	if u, ok := e.(*Unknown); ok {
		return append(dst, u.Raw...)
	}
	dst = append(dst, `{"type":`...)
	dst = rawjson.AppendString(dst, e.Type())
	if fast, ok := appendFast(dst, e); ok {
		dst = fast
	} else if body := encodeMembers(e); len(body) > len("{}") {
		dst = append(dst, ',')
		dst = append(dst, body[1:len(body)-1]...)
	}
	if extra := e.Common().Extra; len(extra) > 0 {
		dst = append(dst, ',')
		dst = append(dst, extra...)
	}
	return append(dst, '}')
}

// AppendCommand appends the JSON of a command, without a newline and without
// escaping HTML.
func AppendCommand(dst []byte, command any) []byte {
	return append(dst, encodeMembers(command)...)
}

func encodeMembers(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Only a raw value that is not JSON can cause this, and decoders never
		// produce one.
		panic(fmt.Sprintf("agent: %T cannot be encoded: %v", v, err))
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}
