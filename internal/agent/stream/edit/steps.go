package edit

import "strings"

// maxText limits a file's text between two edits, because each replacement can
// double it.
const maxText = 8 << 20

// whole replaces a file's whole text.
type whole struct{ text string }

func (s *whole) apply(string, bool) (string, error) { return s.text, nil }

// created is the whole text of a new file. Some tools overwrite an existing
// file.
type created struct {
	text      string
	overwrite bool
}

func (s *created) apply(_ string, exists bool) (string, error) {
	if exists && !s.overwrite {
		return "", ErrExists
	}
	return s.text, nil
}

// appended adds text at the end.
type appended struct{ text string }

func (s *appended) apply(text string, _ bool) (string, error) { return text + s.text, nil }

// replacement replaces the only occurrence of a text, or all occurrences.
type replacement struct {
	old, text string
	all       bool
	count     int // required number of occurrences, or 0
}

func (s *replacement) apply(text string, exists bool) (string, error) {
	if s.old == "" {
		// Tools that accept an empty old text let it create a file.
		if text != "" {
			return "", ErrAmbiguous
		}
		return s.text, nil
	}
	if !exists {
		return "", ErrMissing
	}
	old, with := s.old, s.text
	n := strings.Count(text, old)
	if n == 0 && strings.Contains(text, "\r\n") {
		// The model sees lines without their endings.
		old, with = withCRLF(old), withCRLF(with)
		n = strings.Count(text, old)
	}
	switch {
	case n == 0:
		return "", ErrNotFound
	case s.count > 0 && n != s.count, s.count == 0 && n > 1 && !s.all:
		return "", ErrAmbiguous
	case len(text)+n*(len(with)-len(old)) > maxText:
		return "", ErrTooLong
	}
	return strings.ReplaceAll(text, old, with), nil
}

func withCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// inserted adds lines after a line; 0 means at the beginning.
type inserted struct {
	line int
	text string
}

func (s *inserted) apply(text string, exists bool) (string, error) {
	if !exists {
		return "", ErrMissing
	}
	at := 0
	for range s.line {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			if at == len(text) {
				return "", ErrNotFound
			}
			// The last line has no newline, so add one.
			text += "\n"
			end = len(text) - 1 - at
		}
		at += end + 1
	}
	add := s.text
	if !strings.HasSuffix(add, "\n") && add != "" {
		add += "\n"
	}
	return text[:at] + add + text[at:], nil
}
