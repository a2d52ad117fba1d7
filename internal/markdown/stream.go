package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// maxPending is how many bytes of an unfinished block are kept, to be rendered again
// with each piece.
const maxPending = 16 << 10

// A Stream is a text that arrives in pieces. The zero value is empty.
type Stream struct {
	pending []byte
}

// Add appends a piece.
func (s *Stream) Add(piece string) { s.pending = append(s.pending, piece...) }

// Pending returns what was not taken yet.
func (s *Stream) Pending() string { return string(s.pending) }

// Finished takes the blocks that no more text can change, except by defining a link
// that they refer to. The last block is never among them, unless it is too long: then
// a part of it is, which is a block of the same kind.
func (s *Stream) Finished() string {
	// Of a line that has not ended it is not known what it begins.
	lines := s.pending[:bytes.LastIndexByte(s.pending, '\n')+1]
	if len(lines) == 0 && len(s.pending) > maxPending {
		return s.All()
	}
	last := parse(lines).LastChild()
	if last == nil {
		return ""
	}
	at := lineStart(s.pending, last.Pos())
	if len(s.pending)-at > maxPending {
		return s.divide(last, at)
	}
	return s.take(at)
}

// All takes everything.
func (s *Stream) All() string { return s.take(len(s.pending)) }

func (s *Stream) take(n int) string {
	taken := string(s.pending[:n])
	s.pending = append(s.pending[:0], s.pending[n:]...)
	return taken
}

// divide takes the whole lines of the last block, which begins at a position, too.
func (s *Stream) divide(last ast.Node, at int) string {
	n := bytes.LastIndexByte(s.pending, '\n') + 1
	var fence string
	if _, fenced := last.(*ast.FencedCodeBlock); fenced {
		fence, _, _ = strings.Cut(string(s.pending[at:]), "\n")
		fence += "\n"
	}
	taken := s.take(n)
	s.pending = append([]byte(fence), s.pending...)
	return taken
}

// lineStart returns where the line of a position begins.
func lineStart(source []byte, at int) int {
	return bytes.LastIndexByte(source[:min(max(at, 0), len(source))], '\n') + 1
}
