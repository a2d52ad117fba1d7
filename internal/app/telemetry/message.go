package telemetry

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A tool is what an update says of a tool call.
type tool struct {
	id, kind, status string
	isNew            bool
}

// parseUpdate walks an update once: a result of a tool may be long.
func parseUpdate(update []byte) (kind string, t tool) {
	o := rawjson.Walk(update)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		switch string(key) {
		case "sessionUpdate":
			kind = rawmsg.Text(value)
		case "toolCallId":
			t.id = rawmsg.Text(value)
		case "kind":
			t.kind = rawmsg.Text(value)
		case "status":
			t.status = rawmsg.Text(value)
		}
	}
	t.isNew = kind == "tool_call"
	return kind, t
}

// object is a value, or nil where that is no object.
func object(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' {
		return nil
	}
	return value
}

// member is a member of an object, or nil.
func member(of []byte, names ...string) []byte {
	for _, name := range names {
		if object(of) == nil {
			return nil
		}
		of, _, _ = rawmsg.Member(of, name)
	}
	return of
}

// text is the text of a member, or "".
func text(of []byte, names ...string) string { return rawmsg.Text(member(of, names...)) }

// elements are those of an array, or none.
func elements(array []byte) (all [][]byte) {
	if len(array) == 0 || array[0] != '[' {
		return nil
	}
	for e := range rawjson.Elements(array) {
		all = append(all, e)
	}
	return all
}
