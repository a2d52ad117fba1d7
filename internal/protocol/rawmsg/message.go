package rawmsg

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a line, taken apart. Its values are JSON, and parts of the line.
type Message struct {
	Version []byte // the member jsonrpc
	ID      []byte // nil for a notification
	Method  string // "" for a response
	Params  []byte // nil if there are none
	Result  []byte
	Error   []byte
}

var (
	// ErrNoObject means that a line is not one JSON object.
	ErrNoObject = errors.New("a message is a JSON object")
	// ErrMethod means that the method is not a string. All else of the message is known.
	ErrMethod = errors.New("method must be a string")
)

// Parse takes a line apart. Whether its members fit together is not checked; see
// [Message.Sparse] for null.
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

// Sparse returns the message without the members that are null, as lenient readers take
// it. A result may be null.
func (m Message) Sparse() Message {
	m.ID, m.Params, m.Error = Present(m.ID), Present(m.Params), Present(m.Error)
	return m
}

// Present returns value, or nil if it is null, which means the same as nothing.
func Present(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// IsRequest reports whether the other end waits for an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsResponse reports whether m answers a request.
func (m *Message) IsResponse() bool { return m.Method == "" && (m.Result != nil || m.Error != nil) }

// Number returns the id, if it is an integer: that of a request of this side.
func (m *Message) Number() (int64, bool) {
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	return n, err == nil
}
