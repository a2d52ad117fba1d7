package wire

import (
	"hash/maphash"
	"strings"
)

var seed = maphash.MakeSeed()

// output records the text that a running call has shown. New content usually
// extends the old one. They are compared by length and hash, because outputs
// are long and calls are many.
type output struct {
	length int
	sum    uint64
}

// rest returns the part of text that was not shown. If text does not extend
// what was shown, it returns all of text and false.
func (s *output) rest(text string) (rest string, goesOn bool) {
	switch {
	case s.length == 0:
		return text, true
	case len(text) < s.length || maphash.String(seed, text[:s.length]) != s.sum:
		return text, false
	}
	return text[s.length:], true
}

// set records text as shown.
func (s *output) set(text string) {
	s.length, s.sum = len(text), maphash.String(seed, text)
}

// maxAbout limits the stored text of a call that does not run yet.
const maxAbout = 64 << 10

// bounded returns a copy of text, truncated if it is too long.
func bounded(text string) string {
	if len(text) > maxAbout {
		text = strings.ToValidUTF8(text[:maxAbout], "") + " […]"
	}
	return strings.Clone(text)
}
