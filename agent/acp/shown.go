package acp

import (
	"hash/maphash"
	"strings"
)

// maxLast is how much of a content is kept, to be shown again at the end.
const maxLast = 64 << 10

var seed = maphash.MakeSeed()

// shown is what a call has shown of its text while it runs. Content replaces,
// and mostly by what was there and something more: it is compared by length
// and hash, because outputs are long and calls are many.
type shown struct {
	length   int
	sum      uint64
	last     string // the content as it stands, or its end
	replaced bool   // the last content did not go on where the one before ended
}

// rest is what text adds to what was shown, if that is how it begins.
func (s *shown) rest(text string) (rest string, ok bool) {
	switch {
	case s.replaced || len(text) < s.length:
		return "", false
	case s.length > 0 && maphash.String(seed, text[:s.length]) != s.sum:
		return "", false
	}
	return text[s.length:], true
}

// set takes text for what is shown.
func (s *shown) set(text string) {
	s.length, s.sum = len(text), maphash.String(seed, text)
	s.keep(text)
}

// keep takes text for the last content, without having shown it.
func (s *shown) keep(text string) {
	if len(text) > maxLast {
		text = strings.ToValidUTF8(text[len(text)-maxLast:], "")
		text = "[…]\n" + text
	}
	s.last = strings.Clone(text)
}
