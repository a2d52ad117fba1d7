package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// maxPending limits the size of an unfinished block, which is rendered again with each
// piece, in bytes.
const maxPending = 16 << 10

// A Stream is text that arrives in pieces. The zero value is empty.
type Stream struct {
	pending []byte
}

// Add appends a piece.
func (s *Stream) Add(piece string) { s.pending = append(s.pending, piece...) }

// Pending returns the text that was not taken yet.
func (s *Stream) Pending() string { return string(s.pending) }

// Finished takes the blocks that no further text can change, except by defining a link
// that they refer to. It doesn't take the last block, unless that is too long. Then it
// takes a part of that block, which forms a block of the same kind.
func (s *Stream) Finished() string {
	// What an incomplete line begins is not known yet.
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

// All takes all pending text.
func (s *Stream) All() string { return s.take(len(s.pending)) }

func (s *Stream) take(n int) string {
	taken := string(s.pending[:n])
	s.pending = append(s.pending[:0], s.pending[n:]...)
	return taken
}

// divide also takes the complete lines of the last block, which begins at offset at.
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

// lineStart returns the start of the line that contains offset at.
func lineStart(source []byte, at int) int {
	return bytes.LastIndexByte(source[:min(max(at, 0), len(source))], '\n') + 1
}
