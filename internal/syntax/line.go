package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns the spans of a line, and the state of the next one. The line must not
// contain a newline.
func (l *Language) Line(text string, in State) ([]Span, State) {
	s := scanner{language: l, text: text, state: in}
	for s.at < len(s.text) {
		s.next()
	}
	s.end(s.at)
	return s.spans, s.state
}

type scanner struct {
	language *Language
	text     string
	state    State
	at       int
	plain    int    // where the plain code before at begins
	unclosed string // delimiters that don't end a string on this line
	spans    []Span
}

func (s *scanner) next() {
	rest := s.text[s.at:]
	if s.state.until != "" {
		n, closed := closing(rest, s.state.until, s.state.raw)
		kind := s.state.kind
		if closed {
			s.state = State{}
		}
		s.add(kind, n)
		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case s.comment(rest), s.quoted(rest):
	case r == '_' || unicode.IsLetter(r):
		s.word(rest)
	case r >= '0' && r <= '9':
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && !isWord(r) })
		if n < 0 {
			n = len(rest)
		}
		s.add(Number, n)
	default:
		s.at += size
	}
}

// comment takes a comment if one begins here.
func (s *scanner) comment(rest string) bool {
	l := s.language
	for mark := range strings.FieldsSeq(l.comment) {
		// In a shell, $# and ${a#b} are no comments.
		if strings.HasPrefix(rest, mark) && (mark != "#" || s.at == 0 || strings.ContainsRune(" \t;", rune(s.text[s.at-1]))) {
			s.add(Comment, len(rest))
			return true
		}
	}
	if l.block[0] == "" || !strings.HasPrefix(rest, l.block[0]) {
		return false
	}
	n, closed := closing(rest[len(l.block[0]):], l.block[1], true)
	if !closed {
		s.state = State{Comment, l.block[1], true}
	}
	s.add(Comment, len(l.block[0])+n)
	return true
}

// quoted takes a string if one begins here. A delimiter without an end on the same line
// is plain, unless such strings may have several lines.
func (s *scanner) quoted(rest string) bool {
	l := s.language
	for mark := range strings.FieldsSeq(l.quotes) {
		inside, ok := strings.CutPrefix(rest, mark)
		if !ok || has(s.unclosed, mark) || mark == "'" && !l.prefixes && s.afterWord() {
			continue
		}
		raw := has(l.raw, mark)
		n, closed := closing(inside, mark, raw)
		switch {
		case closed:
		case has(l.long, mark):
			s.state = State{String, mark, raw}
		default:
			s.unclosed += " " + mark
			return false
		}
		s.add(String, len(mark)+n)
		return true
	}
	return false
}

// afterWord reports whether a word ends here, as before the apostrophe of "don't".
func (s *scanner) afterWord() bool {
	r, _ := utf8.DecodeLastRuneInString(s.text[:s.at])
	return isWord(r)
}

// closing returns the length of text up to and including a delimiter. If text lacks the
// delimiter, it returns the length of text.
func closing(text, delimiter string, raw bool) (n int, closed bool) {
	for n < len(text) {
		switch {
		case strings.HasPrefix(text[n:], delimiter):
			return n + len(delimiter), true
		case text[n] == '\\' && !raw:
			n++
		}
		n++
	}
	return len(text), false
}

func (s *scanner) word(rest string) {
	n := strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) })
	if n < 0 {
		n = len(rest)
	}
	word := rest[:n]
	if s.language.anyCase {
		word = strings.ToLower(word)
	}
	// A member, such as that of x.type, is no keyword.
	if has(s.language.words, word) && (s.at == 0 || s.text[s.at-1] != '.') {
		s.add(Keyword, n)
		return
	}
	s.at += n
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// add adds the next n bytes, after the plain code before them.
func (s *scanner) add(kind Kind, n int) {
	s.end(s.at)
	if n > 0 {
		s.spans = append(s.spans, Span{kind, s.text[s.at : s.at+n]})
	}
	s.at += n
	s.plain = s.at
}

// end adds the plain code before an offset.
func (s *scanner) end(at int) {
	if s.plain < at {
		s.spans = append(s.spans, Span{Plain, s.text[s.plain:at]})
	}
	s.plain = at
}
