package process

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// maxEnd is how much of the end of a child's output is kept, in bytes.
const maxEnd = 2 << 10

// An outputEnd is the end of a child's stdout. Some programs print there, not on
// stderr, why they exit.
type outputEnd struct {
	text []byte // at most 2*maxEnd bytes
	cut  bool   // there was earlier output
}

func (e *outputEnd) add(piece []byte) {
	if len(piece) > maxEnd {
		piece, e.text, e.cut = piece[len(piece)-maxEnd:], e.text[:0], true
	}
	if len(e.text)+len(piece) > 2*maxEnd {
		e.text, e.cut = e.text[:copy(e.text, e.text[len(e.text)-maxEnd:])], true
	}
	e.text = append(e.text, piece...)
}

// words returns the last lines that are meant for people, because they can't be
// events.
func (e *outputEnd) words() string {
	lines := bytes.Split(e.text, []byte{'\n'})
	if e.cut {
		lines = lines[1:]
	}
	var words [][]byte
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '{' {
			words = append(words, line)
		}
	}
	return child.Clean(bytes.Join(words, []byte{'\n'}))
}

// mayBeEvents reports whether the output may contain events.
func (e *outputEnd) mayBeEvents() bool { return e.cut || bytes.IndexByte(e.text, '{') >= 0 }
