package acp

import (
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A message is a line of JSON-RPC, whose values are parts of the line.
type message struct {
	id      []byte // nil for a notification
	method  string // "" for an answer
	params  []byte
	result  []byte
	failure []byte // the member "error"
}

// parse takes a line apart. The error is dialect.ErrNotObject where the line
// is no message.
func parse(line []byte) (message, error) {
	var m message
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "id":
			m.id = present(value)
		case "method":
			name, err := rawjson.Parse(value)
			if err != nil {
				return m, dialect.ErrNotObject
			}
			m.method = name.String()
		case "params":
			m.params = present(value)
		case "result":
			m.result = value // null is an answer too
		case "error":
			m.failure = present(value)
		}
	}
	if o.Err() != nil || m.method == "" && m.result == nil && m.failure == nil {
		return m, dialect.ErrNotObject
	}
	return m, nil
}

// present is value, or nil where it is null, which means the same as nothing.
func present(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// isRequest tells whether somebody waits for an answer.
func (m *message) isRequest() bool { return m.method != "" && m.id != nil }

// number is the id of one of our own requests.
func (m *message) number() (int64, bool) {
	n, err := strconv.ParseInt(string(m.id), 10, 64)
	return n, err == nil
}

var errNoParams = errors.New("the params are missing")

// label makes of a request's id something to know what it asks by.
func label(kind string, id []byte) string {
	body, err := rawjson.Parse(id)
	if err != nil {
		return kind + "-" + string(id)
	}
	if _, err := strconv.ParseFloat(string(body), 64); err == nil {
		return kind + "-" + string(id) // "7" is another id than 7
	}
	return kind + "-" + body.String()
}
