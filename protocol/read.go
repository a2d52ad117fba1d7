package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"runtime"
	"syscall"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

var nullID = []byte("null")

// errTooLong is the error for a line that was skipped because it is too long.
var errTooLong = errors.New("the line is longer than 32 MiB")

// ReadObject implements [jsonrpc2.ObjectStream]. It reads the next message into v. It
// answers anything that is not a message, and continues reading.
func (s *Stream) ReadObject(v any) error {
	return s.read(func(line []byte) bool { return s.accept(line, v) })
}

// read reads lines until take returns true for one, or until EOF.
func (s *Stream) read(take func(line []byte) bool) error {
	for {
		s.awaitReader()
		if s.in.Buffered() == 0 {
			// This thread may block in the read for a long time. Let the writer send
			// pending responses first, because no other thread may be free to do it.
			runtime.Gosched()
		}
		line, err := s.readLine()
		if errors.Is(err, errTooLong) {
			s.refuse(nullID, Errorf(CodeInvalidRequest, "%w", err))
			continue
		}
		if len(line) > 0 && take(line) {
			return nil
		}
		if err != nil {
			// A killed editor resets the connection if its pipes are sockets, as those
			// of Node.js are.
			if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
				err = io.EOF
			} else {
				s.mu.Lock()
				s.readErr = err
				s.mu.Unlock()
			}
			if s.OnEOF != nil {
				s.OnEOF()
				s.OnEOF = nil
			}
			return err
		}
	}
}

// ReadError returns why reading failed. It returns nil while reading continues, and
// after EOF.
func (s *Stream) ReadError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readErr
}

// awaitReader blocks while the peer sends requests but reads no responses.
func (s *Stream) awaitReader() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.err == nil && s.control >= maxControl {
		s.changed.Wait()
	}
}

// readLine returns the next line without its line ending, surrounding white space and a
// byte-order mark. The line is valid until the next call. At EOF it returns the
// remaining bytes together with the error.
func (s *Stream) readLine() ([]byte, error) {
	s.line = s.line[:0]
	tooLong := false
	for {
		part, err := s.in.ReadSlice('\n')
		if !tooLong {
			if len(s.line) == 0 && err == nil {
				return rawmsg.Trim(part), nil // the common case: no copy
			}
			s.line = append(s.line, part...)
			if len(withoutEnd(s.line)) > MaxLine {
				tooLong = true
				s.line = s.line[:0]
			}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong {
			s.line = nil
			return nil, errTooLong // the next call returns EOF again
		}
		line := s.line
		if cap(s.line) > keepBuffer {
			s.line = nil
		}
		return rawmsg.Trim(line), err
	}
}

// withoutEnd trims the line ending.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// accept decodes line into v. It returns false if it answered the line instead.
func (s *Stream) accept(line []byte, v any) bool {
	e, ok := s.envelope(line)
	if !ok {
		return false
	}
	if e.IsResponse() {
		line = e.repaired(line)
	}
	line = exactjson.Clean(line, (*members)(nil))
	// A failed decode must not leave anything in v for the next message.
	reflect.ValueOf(v).Elem().SetZero()
	err := unmarshal(line, v)
	if err != nil && e.IsResponse() {
		// Don't answer it: its id belongs to one of our requests.
		s.log.Warn("a malformed response fails its request", "error", err)
		reflect.ValueOf(v).Elem().SetZero()
		err = unmarshal(e.failure(), v)
	}
	if err != nil {
		reflect.ValueOf(v).Elem().SetZero()
		s.refuse(e.Echo(), Errorf(CodeInvalidRequest, "%w", err))
		return false
	}
	return true
}

// envelope parses line. If line is not a message, it answers the line and returns
// false.
func (s *Stream) envelope(line []byte) (e envelope, ok bool) {
	m, parsed := rawmsg.Parse(line)
	if errors.Is(parsed, rawmsg.ErrNoObject) {
		s.refuse(nullID, noObject(line))
		return e, false
	}
	e = envelope{m}
	if err := e.check(parsed); err != nil {
		if e.IsResponse() {
			s.log.Warn("dropped a malformed response", "error", err)
			return e, false
		}
		s.refuse(e.Echo(), err)
		return e, false
	}
	return e, true
}

// unmarshal decodes valid JSON. The message types of jsonrpc2 decode themselves.
func unmarshal(valid []byte, v any) error {
	if u, ok := v.(json.Unmarshaler); ok {
		return u.UnmarshalJSON(valid)
	}
	return exactjson.Unmarshal(valid, v)
}

// noObject returns the error for a line that is not one JSON object.
func noObject(line []byte) *Error {
	switch {
	case !json.Valid(line):
		return Errorf(CodeParse, "the line is not JSON")
	case line[0] == '[':
		return Errorf(CodeInvalidRequest, "batches are not supported")
	}
	return Errorf(CodeInvalidRequest, "a message is a JSON object")
}

// refuse answers a line that is not a message. id is JSON.
func (s *Stream) refuse(id []byte, cause *Error) {
	wire, err := json.Marshal(Wire(cause))
	if err != nil {
		s.log.Error("an error cannot be encoded", "error", err)
		return
	}
	s.log.Warn("refused a line", "error", cause)
	raw := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	raw = append(append(append(raw, `,"error":`...), wire...), '}')
	if err := s.writeControl(raw); err != nil {
		s.log.Debug("a refusal could not be sent", "error", err)
	}
}

// Refuse answers a message that must not be answered with its own id.
func (s *Stream) Refuse(cause *Error) { s.refuse(nullID, cause) }

// RefuseRequest answers a request that nothing handles. The response goes ahead of
// updates that wait for room. id is JSON.
func (s *Stream) RefuseRequest(id []byte, cause *Error) { s.refuse(id, cause) }
