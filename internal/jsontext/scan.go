package jsontext

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/bits"
	"unicode/utf8"
)

// ErrSyntax says that a line is not one JSON object.
var ErrSyntax = errors.New("not a JSON object")

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// scanString returns the index behind the closing quotation mark of the
// string token that starts at i, or -1 where it is no valid token. UTF-8 is
// checked apart, for many lines at once (see [Valid]). lone tells whether there
// are halves of surrogate pairs.
//
// Most strings are short and plain: they are looked at eight bytes at a step.
// A long one is mostly a tool's result, where there is an escape every few
// bytes, and a step that guesses that there is none is often wrong; it goes by
// blocks, whose special bytes are found all at once.
func scanString(b []byte, i int) (end int, lone bool) {
	i++
	for long := i + 32; i+8 <= len(b) && (i < long || i+block > len(b)); {
		m := specials(binary.LittleEndian.Uint64(b[i:]))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) / 8
		n, half := escape(b, i)
		if n <= 0 {
			return ending(i, n), lone
		}
		i, lone = i+n, lone || half
	}
	for i+block <= len(b) {
		at := 0
		for m := blockSpecials(b[i : i+block]); m != 0; m &= ^uint64(0) << at {
			at = bits.TrailingZeros64(m)
			n, half := escape(b, i+at)
			if n <= 0 {
				return ending(i+at, n), lone
			}
			at, lone = at+n, lone || half
		}
		i += max(at, block) // an escape may end behind the block
	}
	for i < len(b) {
		if b[i] >= 0x20 && b[i] != '"' && b[i] != '\\' {
			i++
			continue
		}
		n, half := escape(b, i)
		if n <= 0 {
			return ending(i, n), lone
		}
		i, lone = i+n, lone || half
	}
	return -1, false
}

// block is how many bytes blockSpecials looks at.
const block = 64

// specials marks the bytes of x that are special (quotation marks, backslashes
// and control characters) by their highest bits. No other bit is set.
func specials(x uint64) uint64 {
	q := x ^ ones*'"'
	e := x ^ ones*'\\'
	return ^((q&^highs + ^uint64(highs) | q) & (e&^highs + ^uint64(highs) | e) & (x&^highs + ones*0x60 | x)) & highs
}

// blockSpecials has a bit for each byte of b, set where it is special.
func blockSpecials(b []byte) (m uint64) {
	for i := 0; i < block; i += 8 {
		// The product moves the bits that were eight apart next to each other.
		s := specials(binary.LittleEndian.Uint64(b[i:])) >> 7
		m |= s * 0x0102040810204080 >> 56 << i
	}
	return m
}

// escape is the length of the escape at i, 0 where there is a quotation mark,
// and less where there is neither.
func escape(b []byte, i int) (n int, half bool) {
	switch {
	case b[i] == '"':
		return 0, false
	case b[i] != '\\' || i+1 >= len(b):
		return -1, false
	case short[b[i+1]]:
		return 2, false
	}
	return longEscape(b[i:])
}

// ending is the result of a scan that has ended at i, where escape gave n.
func ending(i, n int) int {
	if n < 0 {
		return -1
	}
	return i + 1
}

// longEscape is the length of the escape \uXXXX at the start of b, of two where
// they are a surrogate pair, and -1 where it is none. half tells whether it is
// one half of a pair.
func longEscape(b []byte) (n int, half bool) {
	u := unit(b)
	switch {
	case u < 0:
		return -1, false
	case u < 0xd800 || u > 0xdfff:
		return 6, false
	case u < 0xdc00:
		if low := unit(b[6:]); low >= 0xdc00 && low <= 0xdfff {
			return 12, false
		}
	}
	return 6, true
}

// unit is the UTF-16 code unit of the escape \uXXXX at the start of b, or -1.
func unit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var u rune
	for _, c := range b[2:6] {
		d := hexValue[c]
		if d < 0 {
			return -1
		}
		u = u<<4 | rune(d)
	}
	return u
}

// hexValue is the value of a hexadecimal digit, -1 for any other byte.
var hexValue = func() (v [256]int8) {
	for c := range v {
		v[c] = -1
	}
	for i, c := range "0123456789" {
		v[c] = int8(i)
	}
	for i, c := range "abcdef" {
		v[c] = int8(10 + i)
		v[c-'a'+'A'] = int8(10 + i)
	}
	return v
}()

// short marks the characters that stand behind a backslash in an escape of two.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// scanValue returns the index behind the JSON value that starts at i, or -1.
func scanValue(b []byte, i int) (end int, lone bool) {
	if i >= len(b) {
		return -1, false
	}
	switch b[i] {
	case '"':
		return scanString(b, i)
	case '{', '[':
		end, lone = scanNested(b, i)
		if end < 0 || !json.Valid(b[i:end]) {
			return -1, false
		}
		return end, lone
	}
	end = i
	for end < len(b) && !isDelimiter(b[end]) {
		end++
	}
	if !json.Valid(b[i:end]) {
		return -1, false
	}
	return end, false
}

func isDelimiter(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// maxDepth is how deep a member's value may be nested, so that encoding/json
// reads the whole object too: its limit is 10000 with the object itself.
const maxDepth = 9999

// scanNested finds the end of the object or array at i by its brackets alone.
func scanNested(b []byte, i int) (end int, lone bool) {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			end, some := scanString(b, i)
			if end < 0 {
				return -1, false
			}
			i, lone = end, lone || some
			continue
		case '{', '[':
			if depth++; depth > maxDepth {
				return -1, false
			}
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, lone
			}
		}
		i++
	}
	return -1, false
}

// An Object walks over the members of one JSON object.
type Object struct {
	data  []byte
	pos   int
	start int  // of the last value, which ends at pos
	state byte // 0 before the first member, 1 between members, 2 at the end, 3 failed
	lone  bool
}

// Lone tells whether the value that Next returned last has halves of surrogate
// pairs, and so needs [CleanValue].
func (o *Object) Lone() bool { return o.lone }

// Span tells where in the line the value is that Next returned last.
func (o *Object) Span() (from, to int) { return o.start, o.pos }

// Walk starts a walk over the members of line, which holds one JSON object and
// nothing else but white space. It does not check UTF-8; see [Valid].
func Walk(line []byte) Object {
	i := skipSpace(line, 0)
	if i >= len(line) || line[i] != '{' {
		return Object{state: 3}
	}
	return Object{data: line, pos: i + 1}
}

// Next returns the next member: the body of its key and the bytes of its
// value, both still encoded, and both slices of the line. ok is false at the
// end of the object, and where the line is malformed; see [Object.Err].
func (o *Object) Next() (key, value []byte, ok bool) {
	if o.state > 1 {
		return nil, nil, false
	}
	b := o.data
	i := skipSpace(b, o.pos)
	if i < len(b) && b[i] == '}' {
		o.state = 3
		if skipSpace(b, i+1) == len(b) {
			o.state = 2
		}
		return nil, nil, false
	}
	if o.state == 1 {
		if i >= len(b) || b[i] != ',' {
			return o.fail()
		}
		i = skipSpace(b, i+1)
	}
	if i >= len(b) || b[i] != '"' {
		return o.fail()
	}
	keyEnd, _ := scanString(b, i)
	if keyEnd < 0 {
		return o.fail()
	}
	colon := skipSpace(b, keyEnd)
	if colon >= len(b) || b[colon] != ':' {
		return o.fail()
	}
	start := skipSpace(b, colon+1)
	end, lone := scanValue(b, start)
	if end < 0 {
		return o.fail()
	}
	o.pos, o.state, o.lone, o.start = end, 1, lone, start
	return b[i+1 : keyEnd-1], b[start:end], true
}

func (o *Object) fail() (key, value []byte, ok bool) {
	o.state = 3
	return nil, nil, false
}

// Err is [ErrSyntax] where the walk ended before the end of a well-formed
// object, else nil.
func (o *Object) Err() error {
	if o.state == 3 {
		return ErrSyntax
	}
	return nil
}

// Valid returns line with what no strict JSON reader accepts made harmless:
// bytes that are not UTF-8 become U+FFFD. It returns line itself where there
// is nothing to do.
func Valid(line []byte) []byte {
	if utf8.Valid(line) {
		return line
	}
	return bytes.ToValidUTF8(line, []byte("\ufffd"))
}

// CleanValue returns the JSON value v with the lone surrogates in its strings
// replaced by U+FFFD, v itself where there are none.
func CleanValue(v []byte) []byte {
	// Surrogates are written \ud8.. to \udf..; anything else needs no second look.
	if !bytes.Contains(v, []byte(`\ud`)) && !bytes.Contains(v, []byte(`\uD`)) {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		if v[i] != '"' {
			out = append(out, v[i])
			i++
			continue
		}
		end, _ := scanString(v, i)
		if end < 0 {
			return v
		}
		out = append(out, '"')
		out = append(out, String(v[i+1:end-1]).Clean()...)
		out = append(out, '"')
		i = end
	}
	return out
}

// Depth is how deep the arrays and objects of the JSON value v nest.
func Depth(v []byte) int {
	depth, deepest := 0, 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			end, _ := scanString(v, i)
			if end < 0 {
				return deepest
			}
			i = end - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}
