package wire

import (
	"hash/maphash"
	"strings"
)

var seed = maphash.MakeSeed()

// output is what a call has shown of its text while it runs. Content replaces,
// and mostly by what was there and something more: it is compared by length
// and hash, because outputs are long and calls are many.
type output struct {
	length int
	sum    uint64
}

// rest is what text adds to what was shown, if that is how it begins; else it
// is text.
func (s *output) rest(text string) (rest string, goesOn bool) {
	switch {
	case s.length == 0:
		return text, true
	case len(text) < s.length || maphash.String(seed, text[:s.length]) != s.sum:
		return text, false
	}
	return text[s.length:], true
}

// set takes text for what is shown.
func (s *output) set(text string) {
	s.length, s.sum = len(text), maphash.String(seed, text)
}

// maxAbout is how much is kept of the text of a call that does not run yet.
const maxAbout = 64 << 10

// bounded is the beginning of text, which is kept for later.
func bounded(text string) string {
	if len(text) > maxAbout {
		text = strings.ToValidUTF8(text[:maxAbout], "") + " […]"
	}
	return strings.Clone(text)
}
