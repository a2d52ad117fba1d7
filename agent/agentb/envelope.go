package agentb

import (
	"bytes"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// envelope is what every event has, as parts of its line.
type envelope struct {
	line     []byte
	kind     []byte // the decoded type
	run      string
	thread   string
	data     []byte // nil where there is none
	dataFrom int    // where data begins
	lone     bool   // data has halves of surrogate pairs

	stamp rawjson.Span // where the timestamp is; empty where there is none
}

// open finds the parts of a line. last is the envelope before it: its names
// are used again where they are the same, which costs no allocation.
func open(line []byte, last *envelope) (envelope, error) {
	e := envelope{line: line}
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "type":
			e.kind = kindOf(value)
		case "runId":
			e.run = nameOf(value, last.run)
		case "threadId":
			e.thread = nameOf(value, last.thread)
		case "timestamp":
			e.stamp.From, e.stamp.To = o.Span()
		case "data":
			e.data, e.lone = value, o.Lone()
			e.dataFrom, _ = o.Span()
		}
	}
	if o.Err() != nil || e.kind == nil {
		return e, dialect.ErrNotObject
	}
	if string(e.data) == "null" {
		e.data = nil
	}
	return e, nil
}

func kindOf(value []byte) []byte {
	name, err := rawjson.Parse(value)
	if err != nil {
		return nil
	}
	if bytes.IndexByte(name, '\\') < 0 {
		return name
	}
	return []byte(name.String())
}

// nameOf is the string that value holds, "" where it holds none. Where that is
// known, it is known.
func nameOf(value []byte, known string) string {
	body, err := rawjson.Parse(value)
	if err != nil || string(body) == known {
		if err != nil {
			return ""
		}
		return known
	}
	return body.String()
}

// clean is data without halves of surrogate pairs, an empty object where there
// is none.
func (e *envelope) clean() []byte {
	switch {
	case e.data == nil:
		return []byte("{}")
	case e.lone:
		return rawjson.CleanValue(e.data)
	}
	return e.data
}

// read decodes data into a struct.
func (e *envelope) read(into any) error {
	if err := exactjson.Unmarshal(e.clean(), into); err != nil {
		return e.malformed(err)
	}
	return nil
}

func (e *envelope) malformed(err error) error {
	return &dialect.MalformedError{Type: string(e.kind), Raw: e.line, Err: err}
}
