package protocol

// A Chunk is the fixed part of a line that has one string as its only variable part,
// such as a chunk of a message. Lines of the same Chunk may be joined.
type Chunk struct {
	Prefix []byte
	Suffix string // ends with the newline
	// MaxText is the maximum length of the string, in bytes of JSON text.
	MaxText int
}

// joinable is the last line of pending, if it belongs to a Chunk.
type joinable struct {
	chunk *Chunk
	body  int // length of its body
}

// AppendChunk appends a line of c with body inserted unchanged between Prefix and
// Suffix. It waits first while the peer does not read. While the writer is busy with
// earlier lines, body is joined to the previous line if both belong to the same Chunk.
// A slow peer thus gets fewer, longer chunks.
func (s *Stream) AppendChunk(c *Chunk, body []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.awaitChunk(); err != nil {
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

// AppendChunks calls AppendChunk for each part of text. ends holds the end offset of
// each part, and is nil if there is only one. If chunks may be joined, all parts are
// sent as one chunk.
func (s *Stream) AppendChunks(c *Chunk, text []byte, ends []int) error {
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

// appendParts appends one line per part until enough is pending for a write, so that an
// idle writer need not wait for more. It returns the number of parts it consumed.
func (s *Stream) appendParts(c *Chunk, text []byte, from int, ends []int) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.awaitChunk(); err != nil {
		return 0, err
	}
	lines := s.pending
	stop := min(len(lines)+enough, s.limit)
	for n < len(ends) && len(lines) < stop {
		if end := ends[n]; end > from { // an empty part adds nothing
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
