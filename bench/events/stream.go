package events

import (
	"io"
	"strconv"
)

// A Stream is a rendered sequence of events, without the event that ends the turn.
type Stream struct {
	Events  int // number of events
	Visible int // number of events that a user sees
	Bytes   int64
	Summary Summary

	segments [][]byte // in order; results share a body
	calls    []int    // positions of tool call numbers in the first segment
}

// WriteTo writes the whole stream.
func (s *Stream) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for _, seg := range s.segments {
		n, err := w.Write(seg)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// A tool call's number has a fixed width, so that it can be replaced in place.
const (
	callWidth = 9
	callFirst = 100_000_000
)

func appendCall(dst []byte, number int) []byte {
	dst = append(dst, "call-"...)
	return strconv.AppendInt(dst, int64(callFirst+number), 10)
}

// Renumber adds n to the numbers of all tool calls of a mixed stream. A stream that is
// written repeatedly must not reuse ids.
func (s *Stream) Renumber(n int) {
	var digits [callWidth]byte
	for _, at := range s.calls {
		field := s.segments[0][at : at+callWidth]
		number, err := strconv.Atoi(string(field))
		if err != nil {
			panic("events: a call's number is no number: " + err.Error())
		}
		copy(field, strconv.AppendInt(digits[:0], int64(number+n), 10))
	}
}
