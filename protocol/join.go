package protocol

import "github.com/turnwire/turnwire/internal/rawjson"

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
func (s *Stream) AppendChunk(c *Chunk, body rawjson.String) error {
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

// AppendChunks is AppendChunk for each part of text: ends says where they end,
// and is nil where there is one. Where chunks may be joined, they are by now.
func (s *Stream) AppendChunks(c *Chunk, text rawjson.String, ends []int) error {
	if s.Join || len(ends) == 0 {
		return s.AppendChunk(c, text)
	}
	from := 0
	for len(ends) > 0 {
		n, err := s.appendParts(c, text, from, ends)
		if err != nil {
			return err
		}
		from, ends = ends[n-1], ends[n:]
	}
	return nil
}

// appendParts appends the lines of parts until there are enough for a write: a
// writer that has nothing to do shall not wait for more. It returns how many
// there were.
func (s *Stream) appendParts(c *Chunk, text rawjson.String, from int, ends []int) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.room(); err != nil {
		return 0, err
	}
	lines := s.pending
	stop := min(len(lines)+enough, s.limit)
	for n < len(ends) && len(lines) < stop {
		if end := ends[n]; end > from { // an empty part says nothing
			lines = append(lines, c.Prefix...)
			lines = append(lines, text[from:end]...)
			lines = append(lines, c.Suffix...)
			from = end
		}
		n++
	}
	s.pending, s.last = lines, joinable{}
	s.full()
	return n, nil
}
