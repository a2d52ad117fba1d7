package exactjson

import "bytes"

// maxDepth is the maximum nesting depth that encoding/json accepts.
const maxDepth = 10000

// A scanner finds members to remove. Invalid JSON only ends the search, because
// encoding/json reports it later.
type scanner struct {
	data []byte
	cuts []span // in order, without overlaps
}

type span struct{ from, to int }

// value returns the index after the value at i, skipping white space before it. It
// returns -1 if the search ends.
func (s *scanner) value(i int, p *plan, depth int) int {
	i = s.space(i)
	switch {
	case i >= len(s.data) || depth == 0:
		return -1
	case p == nil:
		return s.skip(i)
	case s.data[i] == '{' && p.kind != list:
		return s.object(i, p, depth-1)
	case s.data[i] == '[' && p.kind == list:
		return s.array(i, p, depth-1)
	}
	return s.skip(i) // the value's type doesn't match
}

func (s *scanner) array(i int, p *plan, depth int) int {
	if i = s.space(i + 1); s.at(i) == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, p.elem, depth); i < 0 {
			return -1
		}
		switch i = s.space(i); s.at(i) {
		case ']':
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

func (s *scanner) object(i int, p *plan, depth int) int {
	lastKept := i + 1 // the end of the last member that is kept
	if i = s.space(i + 1); s.at(i) == '}' {
		return i + 1
	}
	for {
		i = s.space(i)
		name := i
		if s.at(name) != '"' {
			return -1
		}
		end := s.skipString(name)
		if i = s.space(end); end < 0 || s.at(i) != ':' {
			return -1
		}
		of, mistaken := p.member(s.data[name+1 : end-1])
		if i = s.value(i+1, of, depth); i < 0 {
			return -1
		}
		after := s.space(i)
		last := s.at(after) != ','
		switch {
		case !mistaken:
			lastKept = i
		case last:
			// Also remove the comma before the member. This replaces the cuts after that
			// comma.
			for n := len(s.cuts); n > 0 && s.cuts[n-1].from >= lastKept; n-- {
				s.cuts = s.cuts[:n-1]
			}
			s.cuts = append(s.cuts, span{lastKept, i})
		default:
			s.cuts = append(s.cuts, span{name, after + 1})
		}
		if i = after; last {
			if s.at(i) != '}' {
				return -1
			}
			return i + 1
		}
		i++
	}
}

// skip returns the index after the value at i, or -1.
func (s *scanner) skip(i int) int {
	switch s.at(i) {
	case '"':
		return s.skipString(i)
	case '{', '[':
		return s.skipNested(i)
	}
	for i < len(s.data) {
		switch s.data[i] {
		case ',', ']', '}', ' ', '\t', '\r', '\n':
			return i
		}
		i++
	}
	return i
}

func (s *scanner) skipNested(i int) int {
	for depth := 0; i < len(s.data); i++ {
		switch s.data[i] {
		case '"':
			if i = s.skipString(i) - 1; i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

func (s *scanner) skipString(i int) int {
	for from := i + 1; ; {
		n := bytes.IndexByte(s.data[from:], '"')
		if n < 0 {
			return -1
		}
		quote := from + n
		slash := quote
		for s.data[slash-1] == '\\' {
			slash--
		}
		if (quote-slash)%2 == 0 {
			return quote + 1
		}
		from = quote + 1
	}
}

func (s *scanner) space(i int) int {
	for i >= 0 && i < len(s.data) && (s.data[i] == ' ' || s.data[i] == '\t' || s.data[i] == '\r' || s.data[i] == '\n') {
		i++
	}
	return i
}

// at returns the byte at i, or 0 if i is out of range.
func (s *scanner) at(i int) byte {
	if i < 0 || i >= len(s.data) {
		return 0
	}
	return s.data[i]
}

// remaining returns a copy of the data without the cuts.
func (s *scanner) remaining() []byte {
	out := make([]byte, 0, len(s.data))
	from := 0
	for _, c := range s.cuts {
		out = append(out, s.data[from:c.from]...)
		from = c.to
	}
	return append(out, s.data[from:]...)
}
