package remote

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// Resumable is the WebSocket subprotocol of resumable connections. Clients that don't
// ask for it notice nothing of it.
//
// Each text frame is a message, as without it. Both sides count the messages that they
// accepted. Each binary frame is a [Control] frame. The first frame of both sides is a
// [Hello]: the client starts or resumes a connection, and the server says which one the
// WebSocket now carries. Then each side sends the messages that the other one has not
// received. From then on, each side reports its count now and then, so that the other
// one can forget what it sent. A report is also a heartbeat: the client sends one every
// [Heartbeat], and the server answers each with its own.
//
// A WebSocket that breaks ends nothing: the client resumes the connection on another
// one. Only [Control].Bye, and the server's close frame, end it.
const Resumable = "turnwire.resumable.v1"

const (
	// Heartbeat is the interval at which a client reports its count.
	Heartbeat = 4 * time.Second
	// StatusUnknown is the WebSocket close status for a client that resumes a connection
	// which the server no longer has, or whose history is incomplete. It resembles HTTP's
	// 409.
	StatusUnknown = 4409
	// MaxControl is the maximum length of a control frame, in bytes.
	MaxControl = 4 << 10
)

// A Control is a control frame of a resumable connection.
type Control struct {
	Hello *Hello `json:"hello,omitempty"`
	// Received is how many messages the sender has accepted.
	Received int64 `json:"received"`
	// Bye says that the sender sends no more messages. The client's ends the connection.
	// The client answers the server's with a report, and the server then closes the
	// WebSocket.
	Bye bool `json:"bye,omitempty"`
}

// A Hello is the first frame of each side.
type Hello struct {
	// Connection identifies a connection. It is the client's secret. A client's is "" to
	// start one.
	Connection string `json:"connection,omitempty"`
	// Instance identifies the server's process. Only the server sends it.
	Instance string `json:"instance,omitempty"`
	// Retention is for how many seconds the server keeps a connection whose WebSocket
	// broke.
	Retention int64 `json:"retentionSeconds,omitempty"`
}

// Append appends the frame as JSON.
func (c Control) Append(dst []byte) []byte {
	text, _ := json.Marshal(c) // it can't fail
	return append(dst, text...)
}

// ParseControl parses a control frame. It ignores unknown members.
func ParseControl(text []byte) (c Control, err error) {
	if len(text) > MaxControl {
		return c, errors.New("the control frame is too long")
	}
	if err := exactjson.Unmarshal(text, &c); err != nil {
		return Control{}, errors.New("the control frame is invalid")
	}
	if c.Received < 0 {
		return Control{}, errors.New("the control frame has a negative count")
	}
	return c, nil
}

// ErrHistory is returned for a position in a connection's history that no longer exists
// or never existed.
var ErrHistory = errors.New("the other side lost messages")

// A Window holds the messages that one side sent and the other side has not acknowledged.
// The zero value is empty.
type Window struct {
	acked int64 // the number of acknowledged messages
	lines [][]byte
	size  int
}

// Add adds a message, which the window then owns.
func (w *Window) Add(line []byte) {
	w.lines = append(w.lines, line)
	w.size += len(line)
}

// Acked returns how many messages were acknowledged.
func (w *Window) Acked() int64 { return w.acked }

// Last returns how many messages were added.
func (w *Window) Last() int64 { return w.acked + int64(len(w.lines)) }

// Size returns the number of bytes that are not acknowledged.
func (w *Window) Size() int { return w.size }

// Ack removes the messages up to number n. It returns ErrHistory if n is not a number
// that the other side can have reached.
func (w *Window) Ack(n int64) error {
	if n < w.acked || n > w.Last() {
		return ErrHistory
	}
	for i := range w.lines[:n-w.acked] {
		w.size -= len(w.lines[i])
		w.lines[i] = nil
	}
	w.lines, w.acked = w.lines[n-w.acked:], n
	if len(w.lines) == 0 {
		w.lines = nil
	}
	return nil
}

// After returns the message after number n, or nil if it does not exist yet.
func (w *Window) After(n int64) []byte {
	if i := n - w.acked; i >= 0 && i < int64(len(w.lines)) {
		return w.lines[i]
	}
	return nil
}

// Amend replaces each unacknowledged message by the result of change. If the other side
// has already received it, the replacement has no effect.
func (w *Window) Amend(change func(line []byte) []byte) {
	for i, line := range w.lines {
		w.lines[i] = change(line)
		w.size += len(w.lines[i]) - len(line)
	}
}

// A Progress is a reader that calls a function after each read that returned data.
type Progress struct {
	io.Reader
	Each func()
}

// Read implements [io.Reader].
func (p Progress) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	if n > 0 {
		p.Each()
	}
	return n, err
}
