package telemetry

import (
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// A message is a line of the protocol, taken apart. Its members are still encoded.
type message struct {
	id, params, result, failure []byte
	method                      string
}

// parse takes a line apart. It is false for what is no object: the peer answers
// that, or ignores it.
func parse(line []byte) (m message, ok bool) {
	o := rawjson.Walk(rawjson.Valid(line))
	for {
		key, value, more := o.Next()
		if !more {
			return m, o.Err() == nil
		}
		switch string(key) {
		case "id":
			m.id = value
		case "method":
			m.method = rawmsg.Text(value)
		case "params":
			m.params = object(value)
		case "result":
			m.result = value
		case "error":
			m.failure = value
		}
	}
}

// An update is what is looked at of an update of a session. Its members are still
// encoded.
type update struct{ session, kind, call, tool, status []byte }

// parseUpdate walks each object once: a result of a tool may be long.
func parseUpdate(params []byte) (u update) {
	var body []byte
	if params == nil {
		return u
	}
	o := rawjson.Walk(params)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		switch string(key) {
		case "sessionId":
			u.session = value
		case "update":
			body = object(value)
		}
	}
	if body == nil {
		return u
	}
	o = rawjson.Walk(body)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		switch string(key) {
		case "sessionUpdate":
			u.kind = value
		case "toolCallId":
			u.call = value
		case "kind":
			u.tool = value
		case "status":
			u.status = value
		}
	}
	return u
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
