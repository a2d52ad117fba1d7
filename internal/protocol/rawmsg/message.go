package rawmsg

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a parsed line. Its values are JSON, and parts of the line.
type Message struct {
	Version []byte // the member jsonrpc
	ID      []byte // nil for a notification
	Method  string // "" for a response
	Params  []byte // nil if absent
	Result  []byte
	Error   []byte
}

var (
	// ErrNoObject means that a line is not one JSON object.
	ErrNoObject = errors.New("a message is a JSON object")
	// ErrMethod means that the method is not a string. The other members were parsed.
	ErrMethod = errors.New("method must be a string")
)

// Parse parses a line. It does not check whether the members fit together. For null
// members, see [Message.Sparse].
func Parse(line []byte) (m Message, err error) {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(rawjson.String(key).String())
		}
		switch string(key) {
		case "jsonrpc":
			m.Version = value
		case "id":
			m.ID = value
		case "method":
			err = nil
			name, bad := rawjson.Parse(value)
			if bad != nil {
				err = ErrMethod
			}
			m.Method = name.String()
		case "params":
			m.Params = value
		case "result":
			m.Result = value
		case "error":
			m.Error = value
		}
	}
	if o.Err() != nil {
		return m, ErrNoObject
	}
	return m, err
}

// Sparse returns the message with null members removed, as lenient readers treat it. A
// null result is kept.
func (m Message) Sparse() Message {
	m.ID, m.Params, m.Error = Present(m.ID), Present(m.Params), Present(m.Error)
	return m
}

// Present returns value, or nil if it is null.
func Present(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// IsRequest reports whether the message expects a response.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsResponse reports whether the message is a response.
func (m *Message) IsResponse() bool { return m.Method == "" && (m.Result != nil || m.Error != nil) }

// Number returns the id if it is an integer. Our own requests have such ids.
func (m *Message) Number() (int64, bool) {
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	return n, err == nil
}
