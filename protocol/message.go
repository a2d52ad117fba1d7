package protocol

import (
	"errors"
	"io"
	"sync/atomic"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a line that was read. It is valid until the function that was given it
// returns. Its id is nil, a string, or an integer from 0. Of a response exactly one of
// Result and Error is set, and Error has a code.
type Message = rawmsg.Message

// Messages gives take each message of the peer, one after the other, for those
// who pass messages on as they are. It answers whatever is no message, and
// returns nil at the end of the input. It is used instead of
// [Stream.ReadObject].
func (s *Stream) Messages(take func(Message)) error {
	err := s.read(func(line []byte) bool {
		// Invalid Unicode is harmless here, but may not be to an agent.
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

// outcome is what a response says: a result, or an error that is one.
func (e *envelope) outcome() (result, failure []byte) {
	line := e.repaired(nil)
	switch {
	case line != nil:
		made, _ := rawmsg.Parse(line) // of our own line
		return nil, made.Error
	case rawmsg.Present(e.Error) != nil:
		return nil, e.Error
	}
	return e.Result, nil
}

// Send appends a line, without its newline. It never blocks.
func (s *Stream) Send(line []byte) error { return s.writeControl(line) }

// AppendUnless is [Stream.Append] for a line that is there already, and that is
// dropped if gate is set when there is room for it. Whoever sets gate and then
// calls [Stream.Send] knows that the line precedes what it has sent, or is not
// there. gate may be nil.
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
