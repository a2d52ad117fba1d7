// Package visible makes hidden characters visible: characters that a terminal or an
// editor interprets, that reorder other characters, or that show nothing at all.
//
// Contract: plain text, including newlines and tabs, is unchanged. Invalid UTF-8 becomes
// U+FFFD. The package imports nothing from this module.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s with each hidden character replaced by an escape: \r, \x1b, \u202e. So a
// text that a user is asked about can't hide anything, for example with a carriage
// return.
func Text(s string) string {
	if !isHiding(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + 16)
	for _, r := range s {
		switch {
		case !isHidden(r):
			out.WriteRune(r)
		case r == '\r':
			out.WriteString(`\r`)
		case r < 0x100 && IsControl(r):
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// JSON returns a JSON text with each hidden character replaced by a JSON escape, which
// has the same meaning. Such characters only occur inside JSON strings.
func JSON(s string) string {
	if !isHiding(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + 16)
	for _, r := range s {
		switch high, low := utf16.EncodeRune(r); {
		case !isHidden(r):
			out.WriteRune(r)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// isHiding reports whether s contains hidden characters or invalid UTF-8. Most text
// contains neither.
func isHiding(s string) bool {
	return !IsPlain(s) && (!utf8.ValidString(s) || strings.ContainsFunc(s, isHidden))
}

func isHidden(r rune) bool { return IsControl(r) || isInvisible(r) }

// IsPlain reports whether s is ASCII without control characters other than newlines and
// tabs. Most text is.
func IsPlain(s string) bool {
	for i := range len(s) {
		if b := s[i]; b >= utf8.RuneSelf || b == 0x7f || b < 0x20 && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// IsControl reports whether a terminal may interpret r, or may reorder the text after it.
func IsControl(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return r != '\n' && r != '\t'
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// isInvisible reports whether r shows nothing at all. These are the characters that
// Unicode allows programs to ignore. Exceptions are the joiners and the first variation
// selectors, which emoji and some scripts need, and format marks that are visible.
func isInvisible(r rune) bool {
	switch {
	case r < 0x80, r == 0x200c, r == 0x200d, r >= 0xfe00 && r <= 0xfe0f:
		return false
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.In(r, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
