package telemetry

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A tool holds the members of an update about a tool call.
type tool struct {
	id, kind, status string
	isNew            bool
}

// parseUpdate walks an update only once, because a tool's result may be long.
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

// object returns value, or nil if it is not an object.
func object(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' {
		return nil
	}
	return value
}

// member returns a nested member of an object, or nil.
func member(of []byte, names ...string) []byte {
	for _, name := range names {
		if object(of) == nil {
			return nil
		}
		of, _, _ = rawmsg.Member(of, name)
	}
	return of
}

// text returns the text of a nested member, or "".
func text(of []byte, names ...string) string { return rawmsg.Text(member(of, names...)) }

// elements returns the elements of an array, or nil.
func elements(array []byte) (all [][]byte) {
	if len(array) == 0 || array[0] != '[' {
		return nil
	}
	for e := range rawjson.Elements(array) {
		all = append(all, e)
	}
	return all
}
