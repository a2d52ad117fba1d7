package jsonrpc

import (
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/outbox"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a line, whose values are parts of the line.
type Message struct {
	ID     []byte // nil for a notification
	Method string // "" for an answer
	Params []byte
	Result []byte
	Error  []byte
}

// Parse takes a line apart. The error is [dialect.ErrNotObject].
func Parse(line []byte) (m Message, err error) {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "id":
			m.ID = Present(value)
		case "method":
			name, err := rawjson.Parse(value)
			if err != nil {
				return m, dialect.ErrNotObject
			}
			m.Method = name.String()
		case "params":
			m.Params = Present(value)
		case "result":
			m.Result = value // null is an answer too
		case "error":
			m.Error = Present(value)
		}
	}
	if o.Err() != nil {
		return m, dialect.ErrNotObject
	}
	return m, nil
}

// Present is value, or nil where it is null, which means the same as nothing.
func Present(value []byte) []byte {
	if string(value) == "null" {
		return nil
	}
	return value
}

// IsRequest reports whether the peer waits for an answer.
func (m *Message) IsRequest() bool { return m.Method != "" && m.ID != nil }

// IsAnswer reports whether m answers a request.
func (m *Message) IsAnswer() bool { return m.Method == "" && (m.Result != nil || m.Error != nil) }

// Number is the id of one of our own requests.
func (m *Message) Number() (int64, bool) {
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	return n, err == nil
}

// An Outgoing is a message that is sent.
type Outgoing struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   any             `json:"error,omitempty"`
}

// Encode encodes a message as a line, without the newline.
func Encode(m Outgoing) ([]byte, error) {
	m.Version = "2.0"
	return outbox.Encode(m)
}

// EncodeRequest encodes a request as a line, without the newline.
func EncodeRequest(id int64, method string, params any) ([]byte, error) {
	return Encode(Outgoing{ID: strconv.AppendInt(nil, id, 10), Method: method, Params: params})
}
