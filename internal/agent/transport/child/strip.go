package child

// A stripper removes terminal escape sequences and control characters from a
// stream of bytes that may be split anywhere. Carriage returns become
// newlines, and repeated newlines become one. A progress bar thus becomes a
// few lines instead of an endless one.
type stripper struct {
	state   stripState
	newline bool // the last byte that was kept is a newline
}

type stripState uint8

const (
	inText    stripState = iota
	inEscape             // after ESC
	inCharset            // after ESC and an intermediate byte; one more byte follows
	inCSI                // after ESC [
	inString             // in an OSC, DCS, SOS, PM or APC string, up to BEL or ESC \
)

const (
	esc = 0x1b
	bel = 0x07
	del = 0x7f
)

// append appends src to dst, without what is removed.
func (s *stripper) append(dst, src []byte) []byte {
	for _, c := range src {
		switch s.state {
		case inText:
			dst = s.text(dst, c)
		case inEscape:
			s.state = afterEscape(c)
		case inCharset:
			s.state = inText
		case inCSI:
			switch {
			case c == esc:
				s.state = inEscape
			case c == '\n' || c == '\r': // a truncated sequence
				s.state = inText
				dst = s.text(dst, c)
			case c >= 0x40 && c < del:
				s.state = inText
			}
		case inString:
			switch c {
			case esc:
				s.state = inEscape
			case bel:
				s.state = inText
			case '\n':
				// No sane sequence contains a newline. Without this rule, an
				// unterminated sequence would swallow everything after it.
				s.state = inText
				dst = s.text(dst, c)
			}
		}
	}
	return dst
}

func (s *stripper) text(dst []byte, c byte) []byte {
	if c == '\r' {
		c = '\n'
	}
	switch {
	case c == esc:
		s.state = inEscape
	case c == '\n':
		if !s.newline {
			dst = append(dst, c)
		}
		s.newline = true
	case c == '\t' || c >= 0x20 && c != del:
		dst = append(dst, c)
		s.newline = false
	}
	return dst
}

func afterEscape(c byte) stripState {
	switch {
	case c == '[':
		return inCSI
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
		return inString
	case c == esc:
		return inEscape
	case c >= 0x20 && c < 0x30:
		return inCharset
	}
	return inText
}
