package protocol

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a line read from the peer. It is valid only until the function that
// receives it returns. Its id is nil, a string, or a non-negative integer. A response
// has exactly one of Result and Error, and its Error has a code.
type Message = rawmsg.Message

// Messages calls take with each message from the peer, one at a time, for callers that
// pass messages on unchanged. It answers anything that is not a message, and returns
// nil at EOF. Use it instead of [Stream.ReadObject].
func (s *Stream) Messages(take func(Message)) error {
	err := s.read(func(line []byte) bool {
		// Invalid Unicode is harmless here, but perhaps not to an agent.
		line = rawjson.CleanValue(rawjson.Valid(line))
		e, ok := s.envelope(line)
		if !ok {
			return false
		}
		m := e.Message
		if m.IsResponse() {
			m.Result, m.Error = e.outcome()
		}
		take(m)
		return false
	})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// outcome returns a response's result, or its error, repaired if necessary.
func (e *envelope) outcome() (result, failure []byte) {
	line := e.repaired(nil)
	switch {
	case line != nil:
		made, _ := rawmsg.Parse(line) // can't fail: the line is our own
		return nil, made.Error
	case rawmsg.Present(e.Error) != nil:
		return nil, e.Error
	}
	return e.Result, nil
}

// Send appends a line, without its newline. It never blocks.
func (s *Stream) Send(line []byte) error { return s.writeControl(line) }

// AppendUnless appends a complete line, like [Stream.Append], but drops it if gate is
// set by the time there is room. A caller that sets gate and then calls [Stream.Send]
// can rely on the line being either ahead of what it sent, or dropped. gate may be nil.
func (s *Stream) AppendUnless(gate *atomic.Bool, line []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wait()
	if s.err != nil {
		return s.err
	}
	if gate != nil && gate.Load() {
		return nil
	}
	s.pending = append(append(s.pending, line...), '\n')
	s.last = joinable{}
	s.full()
	return nil
}
