package tools

import (
	"fmt"
	"unicode/utf8"
)

// A Result is the outcome of a call, as its agent's model reads it.
type Result struct {
	Text      string
	OK        bool
	Refused   bool // the user did not allow the call
	Cancelled bool // the turn was cancelled

	ending bool // the end of Text says more than its beginning
}

// DefaultLimit is the maximal length of a result in characters, unless the agent asks for
// another.
const DefaultLimit = 50_000

// Cut returns the result with a text of about limit characters at most; 0 means
// [DefaultLimit]. It reports whether something is missing, which the text says too.
func (r Result) Cut(limit int) (cut Result, truncated bool) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	length := utf8.RuneCountInString(r.Text)
	if length <= limit {
		return r, false
	}
	head := limit
	if r.ending {
		head = limit / 4
	}
	runes := []rune(r.Text)
	r.Text = string(runes[:head]) + fmt.Sprintf("\n[%d of %d characters are left out here.]\n", length-limit, length) + string(runes[length-(limit-head):])
	return r, true
}
