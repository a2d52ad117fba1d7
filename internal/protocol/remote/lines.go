package remote

import (
	"bytes"
	"errors"
)

// ErrTooLong is returned for a line that exceeds the limit.
var ErrTooLong = errors.New("the line is too long")

// Lines is a writer that splits its input into lines.
type Lines struct {
	// Each is called with each line, without its newline. It must not retain the line.
	// Its error is returned by this write and every later one.
	Each func(line []byte) error
	// Max is the maximum length of a line, in bytes.
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

// keep is the largest buffer for incomplete lines that is retained, in bytes.
const keep = 64 << 10

// OneLine returns a message as one line, without a newline. It replaces line breaks by
// spaces. In valid JSON these are white space, because a string cannot contain them.
// Invalid JSON becomes one line too, so that it cannot be taken for two messages.
// OneLine modifies text.
func OneLine(text []byte) []byte {
	text = bytes.TrimSpace(text)
	for i, c := range text {
		if c == '\n' || c == '\r' {
			text[i] = ' '
		}
	}
	return text
}
