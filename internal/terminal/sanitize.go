package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxString is how long a string sequence (a title, say) may be before it is
// taken for text after all. Without a limit one stray byte would swallow the
// rest of the turn.
const maxString = 4096

type cleanState uint8

const (
	ground    cleanState = iota
	escape               // after ESC
	control              // in a control sequence, after ESC [
	str                  // in a string sequence, such as ESC ]
	strEscape            // after ESC in a string sequence
)

// A cleaner takes control sequences and invisible controls out of text that
// comes in pieces, which may end in the middle of a sequence. A newline ends
// any sequence: none has one in it, and text behind it must not be lost.
type cleaner struct {
	state cleanState
	n     int // runes of the string sequence so far
}

// clean takes control sequences out of a whole text.
func clean(s string) string {
	var c cleaner
	return c.clean(s)
}

// cleanLine is clean for what must stay in one line.
func cleanLine(s string) string {
	return strings.Join(strings.Fields(clean(s)), " ")
}

func (c *cleaner) clean(s string) string {
	if c.state == ground && isPlain(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for _, r := range s {
		if c.next(r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// next takes the next rune and says whether it is to be shown.
func (c *cleaner) next(r rune) bool {
	if r == '\n' {
		c.state = ground
		return true
	}
	switch c.state {
	case escape:
		return c.afterEscape(r)
	case control:
		switch {
		case r >= 0x20 && r <= 0x3f:
			return false
		case r >= 0x40 && r <= 0x7e:
			c.state = ground
			return false
		}
		// Not a control sequence after all.
		c.state = ground
	case str:
		c.n++
		switch {
		case r == 0x1b:
			c.state = strEscape
		case r == 0x07, r == 0x9c, c.n > maxString:
			c.state = ground
		}
		return false
	case strEscape:
		if r == '\\' {
			c.state = ground
			return false
		}
		return c.afterEscape(r)
	}
	return c.inGround(r)
}

func (c *cleaner) inGround(r rune) bool {
	switch r {
	case '\t':
		return true
	case 0x1b:
		c.state = escape
	case 0x9b:
		c.state = control
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		c.state, c.n = str, 0
	default:
		return !isControl(r)
	}
	return false
}

func (c *cleaner) afterEscape(r rune) bool {
	switch {
	case r == '[':
		c.state = control
	case strings.ContainsRune("]PX^_", r):
		c.state, c.n = str, 0
	case r >= 0x20 && r <= 0x2f:
		// An intermediate byte: the sequence goes on.
		c.state = escape
	case r >= 0x30 && r <= 0x7e:
		c.state = ground
	default:
		c.state = ground
		return c.inGround(r)
	}
	return false
}

// reveal shows every control as an escape, so that a person who is asked about
// a text sees all of it: nothing hides behind a carriage return.
func reveal(s string) string {
	if isPlain(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + 16)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			out.WriteRune(r)
		case r == '\r':
			out.WriteString(`\r`)
		case r < 0x100 && isControl(r):
			fmt.Fprintf(&out, `\x%02x`, r)
		case isControl(r) || isInvisible(r):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// isPlain says whether s is ASCII without controls, as most text is.
func isPlain(s string) bool {
	for i := range len(s) {
		if b := s[i]; b >= utf8.RuneSelf || b == 0x7f || b < 0x20 && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// isControl says whether a terminal may act upon r, or show what follows in
// another order.
func isControl(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return r != '\n' && r != '\t'
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// isInvisible says whether r shows nothing at all: what Unicode lets a program
// ignore, without the joiners and the first variation selectors, which emoji and
// some scripts need, and without the marks of format that are seen.
func isInvisible(r rune) bool {
	switch {
	case r < 0x80, r == 0x200c, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f:
		return false
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
