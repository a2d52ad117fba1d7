package remote

import (
	"bytes"
	"errors"
)

// ErrTooLong is the error of a line that is longer than is taken.
var ErrTooLong = errors.New("the line is too long")

// Lines is a writer that cuts what is written into lines.
type Lines struct {
	// Each is given each line without its end, which it must not keep. Its error
	// is that of the write, and of every later one.
	Each func(line []byte) error
	// Max is how long a line may be, in bytes.
	Max int

	rest   []byte
	failed error
}

// Write implements [io.Writer].
func (l *Lines) Write(p []byte) (int, error) {
	for rest := p; l.failed == nil; {
		line, after, whole := bytes.Cut(rest, []byte{'\n'})
		if len(l.rest)+len(line) > l.Max {
			l.failed = ErrTooLong
			break
		}
		if !whole {
			l.rest = append(l.rest, line...)
			return len(p), nil
		}
		if len(l.rest) > 0 {
			line = append(l.rest, line...)
			l.rest = l.rest[:0]
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			l.failed = l.Each(line)
		}
		if cap(l.rest) > keep {
			l.rest = nil
		}
		rest = after
	}
	return 0, l.failed
}

// keep is how much room for a line that comes in pieces is not given back.
const keep = 64 << 10

// OneLine is a message as one line without its end. A line break in JSON is
// white space, for a string cannot hold one. What is not JSON becomes one line
// too, so that it cannot be taken for two messages. It changes text.
func OneLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}
