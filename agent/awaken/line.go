package awaken

import (
	"bytes"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A form is a way to write an event; see the package's documentation.
type form int

const (
	headForm form = iota
	olderForm
	factForm
)

// A message is one line, taken apart. Everything in it is a part of the line.
type message struct {
	form form
	name []byte // the event's type, still escaped; nil for a fact that is no AgentEvent
	body []byte // the object that has the event's fields
	at   int    // where in the line the body begins

	nested  bool   // the fields of the older form stand under "data"
	thread  []byte // the thread that the envelope names, still escaped
	run     []byte // the run that the envelope names, still escaped
	kind    []byte // of a fact
	payload []byte // of a fact
}

// parse takes a line apart, without a copy of anything: it is on the way of
// every piece of text.
func parse(line []byte) (message, error) {
	m := message{body: line}
	var head, older, data []byte
	var dataAt, payloadAt int
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "event_type":
			head = body(value)
		case "type":
			older = body(value)
		case "data":
			data = value
			dataAt, _ = o.Span()
		case "event_kind":
			m.kind = body(value)
		case "payload":
			m.payload = value
			payloadAt, _ = o.Span()
		case "run_id":
			m.run = body(value)
		case "thread_id":
			m.thread = body(value)
		}
	}
	switch {
	case o.Err() != nil:
		return message{}, dialect.ErrNotObject
	case head != nil:
		m.form, m.name, m.run = headForm, head, nil
	case m.kind != nil:
		m.form = factForm
		m.name = typeOf(m.payload)
		m.body, m.at = m.payload, payloadAt
	case older != nil:
		m.form, m.name = olderForm, older
		if isObject(data) {
			m.nested, m.body, m.at = true, data, dataAt
		}
	default:
		return message{}, dialect.ErrNotObject
	}
	return m, nil
}

// typeOf is the type of a head form, nil where the value is none.
func typeOf(value []byte) []byte {
	if !isObject(value) {
		return nil
	}
	var name []byte
	o := rawjson.Walk(value)
	for {
		key, value, ok := o.Next()
		if !ok {
			return name
		}
		if string(key) == "event_type" {
			name = body(value)
		}
	}
}

// body is what stands between the quotation marks of a string, nil where the
// value is none or empty.
func body(value []byte) []byte {
	if len(value) <= 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// present tells whether a value says something: null says nothing.
func present(value []byte) bool { return len(value) > 0 && !bytes.Equal(value, []byte("null")) }

// has tells whether the event has a field.
func (m *message) has(name string) bool {
	value, _ := m.field(name)
	return value != nil
}

// field returns a field's value and where in the line it begins.
func (m *message) field(name string) (value []byte, at int) {
	o := rawjson.Walk(m.body)
	for {
		key, v, ok := o.Next()
		if !ok {
			return value, at
		}
		if string(key) == name {
			from, _ := o.Span()
			value, at = v, m.at+from
		}
	}
}

// typeName names the event as Types does, for errors.
func (m *message) typeName() string {
	name := rawjson.String(m.name).String()
	switch m.form {
	case olderForm:
		return olderPrefix + name
	case factForm:
		return factPrefix + rawjson.String(m.kind).String()
	}
	return name
}
