package protocol

import "github.com/turnwire/turnwire/internal/jsontext"

// A Chunk is the frame of a line whose only variable part is a string: a chunk
// of a message. Lines of the same Chunk may be joined.
type Chunk struct {
	Prefix []byte
	Suffix string // ends with the newline
	// MaxText is the longest body of a line, in bytes of JSON text.
	MaxText int
}

// joinable is the line at the end of pending, if it is one of a Chunk.
type joinable struct {
	chunk *Chunk
	body  int // length of its body
}

// AppendChunk appends the line of c with body, and waits before that while the
// peer does not read. While the writer is busy with earlier lines, a body is
// joined to the line before it, if that is of the same Chunk: a peer that
// cannot keep up gets fewer, longer chunks.
func (s *Stream) AppendChunk(c *Chunk, body jsontext.String) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.room(); err != nil {
		return err
	}
	if (s.writing || s.flush) && s.Join && s.last.chunk == c && s.last.body+len(body) <= c.MaxText {
		s.pending = append(s.pending[:len(s.pending)-len(c.Suffix)], body...)
		s.last.body += len(body)
	} else {
		s.pending = append(append(s.pending, c.Prefix...), body...)
		s.last = joinable{c, len(body)}
	}
	s.pending = append(s.pending, c.Suffix...)
	s.full()
	return nil
}
