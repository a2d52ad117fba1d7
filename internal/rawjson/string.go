package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrNotString is returned if a value is not a JSON string.
var ErrNotString = errors.New("not a JSON string")

// A String is the body of a JSON string token: the part between its quotation
// marks, still escaped. A nil String is the empty string.
type String []byte

// Quote escapes s. Invalid UTF-8 becomes U+FFFD.
func Quote(s string) String {
	return AppendQuoted(make(String, 0, len(s)+len(s)/8), s)
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends the escaped body of s, without quotation marks.
func AppendQuoted[B ~[]byte](dst B, s string) B {
	start := 0
	for i := 0; i < len(s); {
		if i+8 <= len(s) && plain(s[i:i+8]) {
			i += 8
			continue
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\ufffd"...)
				i++
				start = i
				continue
			}
			i += n
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(dst, s[start:]...)
}

// plain reports whether none of the eight bytes of s needs an escape in JSON.
func plain(s string) bool {
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	del := x ^ ones*0x7f
	return (specials(x)|x|^(del&^highs+^uint64(highs)|del))&highs == 0
}

// AppendString appends s as a whole JSON string token.
func AppendString[B ~[]byte](dst B, s string) B {
	return append(AppendQuoted(append(dst, '"'), s), '"')
}

// String returns the unescaped text. Lone surrogates become U+FFFD.
func (s String) String() string {
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s)
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '\\' || i+1 >= len(s) {
			out = append(out, s[i])
			i++
			continue
		}
		switch c := s[i+1]; c {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, n := s.rune(i)
			out = utf8.AppendRune(out, r)
			i += n
			continue
		default:
			out = append(out, c)
		}
		i += 2
	}
	return string(out)
}

// rune decodes the escape or surrogate pair at i, and returns its length in bytes.
func (s String) rune(i int) (rune, int) {
	r := unit(s[i:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if both := utf16.DecodeRune(r, unit(s[i+6:])); both != utf8.RuneError {
		return both, 12
	}
	return utf8.RuneError, 6
}

// Clean returns s with every lone surrogate replaced by U+FFFD. JSON allows lone
// surrogates, but strict readers (Rust's, and so Zed's) reject the whole line. It returns
// s itself if it contains none.
func (s String) Clean() String {
	at := surrogate(s)
	if at < 0 {
		return s
	}
	// The backslash may itself be escaped.
	for at > 0 && s[at-1] == '\\' {
		at--
	}
	var out String
	done := 0
	for i := at; i < len(s); {
		if s[i] != '\\' {
			i++
			continue
		}
		if i+1 < len(s) && s[i+1] == 'u' {
			r, n := s.rune(i)
			if r == utf8.RuneError && utf16.IsSurrogate(unit(s[i:])) {
				out = append(append(out, s[done:i]...), `\ufffd`...)
				done = i + n
			}
			i += n
			continue
		}
		i += 2
	}
	if out == nil {
		return s
	}
	return append(out, s[done:]...)
}

// SplitHigh cuts a lone high surrogate off the end of s. It is the first half of a
// character whose second half is in the next piece of a stream.
func (s String) SplitHigh() (whole, half String) {
	if n := len(s) - 6; n >= 0 && s[n] == '\\' {
		if r := unit(s[n:]); r >= 0xd800 && r < 0xdc00 && !s.escapedAt(n) {
			return s[:n], s[n:]
		}
	}
	return s, nil
}

// escapedAt reports whether the backslash at i is itself escaped.
func (s String) escapedAt(i int) bool {
	n := 0
	for i--; i >= 0 && s[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// Cut returns the longest prefix of s of at most limit bytes that ends between two
// characters, and the rest. The prefix is not empty unless s is.
func (s String) Cut(limit int) (head, tail String) {
	if len(s) <= limit {
		return s, nil
	}
	i := 0
	for i < len(s) {
		n := s.charLen(i)
		if i+n > limit && i > 0 {
			break
		}
		i += n
	}
	return s[:i], s[i:]
}

// Tail returns the longest suffix of s of at most limit bytes that starts between two
// characters.
func (s String) Tail(limit int) String {
	if len(s) <= limit {
		return s
	}
	for i := 0; i < len(s); i += s.charLen(i) {
		if len(s)-i <= limit {
			return s[i:]
		}
	}
	return nil
}

// charLen returns the length of the character or escape at i, in bytes.
func (s String) charLen(i int) int {
	c := s[i]
	switch {
	case c == '\\' && i+1 < len(s) && s[i+1] == 'u':
		_, n := s.rune(i)
		return min(n, len(s)-i)
	case c == '\\':
		return min(2, len(s)-i)
	case c < utf8.RuneSelf:
		return 1
	}
	_, n := utf8.DecodeRune(s[i:])
	return n
}

// MarshalJSON returns s between quotation marks.
func (s String) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, len(s)+2)
	return append(append(append(out, '"'), s...), '"'), nil
}

// UnmarshalJSON stores a copy of the token's body. null becomes the empty string.
func (s *String) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*s = nil
		return nil
	}
	v, err := Parse(b)
	if err != nil {
		return err
	}
	*s = bytes.Clone(v)
	return nil
}

// Parse returns the body of the JSON string token b without copying it.
func Parse(b []byte) (String, error) {
	if len(b) < 2 || b[0] != '"' {
		return nil, ErrNotString
	}
	end, _ := scanString(b, 0)
	if end != len(b) {
		return nil, ErrNotString
	}
	return String(b[1 : end-1]), nil
}

var (
	_ json.Marshaler   = String(nil)
	_ json.Unmarshaler = (*String)(nil)
)
