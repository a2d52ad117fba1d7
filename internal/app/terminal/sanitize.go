package terminal

import (
	"strings"

	"github.com/turnwire/turnwire/internal/visible"
)

// maxString is the length at which a string sequence, such as a title, is treated as text
// after all. Without a limit, one stray byte would hide the rest of the turn.
const maxString = 4096

type cleanState uint8

const (
	ground    cleanState = iota
	escape               // after ESC
	control              // in a control sequence, after ESC [
	str                  // in a string sequence, such as ESC ]
	strEscape            // after ESC in a string sequence
)

// A cleaner removes control sequences and invisible characters from text that arrives in
// pieces, which may end in the middle of a sequence. A newline ends any sequence, because
// no sequence contains one and the text after it must not be lost.
type cleaner struct {
	state cleanState
	n     int // runes of the string sequence so far
}

// clean removes control sequences from a complete text.
func clean(s string) string {
	var c cleaner
	return c.clean(s)
}

// cleanLine is like clean, but returns a single line.
func cleanLine(s string) string {
	return strings.Join(strings.Fields(clean(s)), " ")
}

func (c *cleaner) clean(s string) string {
	if c.state == ground && visible.IsPlain(s) {
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

// next processes the next rune and reports whether to show it.
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
		// It wasn't a control sequence after all.
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
		return !visible.IsControl(r)
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
		// An intermediate byte: the sequence continues.
		c.state = escape
	case r >= 0x30 && r <= 0x7e:
		c.state = ground
	default:
		c.state = ground
		return c.inGround(r)
	}
	return false
}
