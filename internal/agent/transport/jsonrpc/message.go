package jsonrpc

import (
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A Message is a parsed line. Its values are slices of the line. Null values
// are nil.
type Message = rawmsg.Message

// Parse parses a line. It fails with [dialect.ErrNotObject].
func Parse(line []byte) (Message, error) {
	m, err := rawmsg.Parse(line)
	if err != nil {
		return m, dialect.ErrNotObject
	}
	return m.Sparse(), nil
}

// An Outgoing is a message to send.
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
