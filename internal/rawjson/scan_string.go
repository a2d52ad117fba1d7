package rawjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// block is the number of bytes that are scanned together: one per bit of a word.
const block = 64

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// scanString returns the index after the closing quotation mark of the string token that
// starts at i, or -1 if the token is invalid. UTF-8 is checked separately, for many lines
// at once (see [Valid]). lone reports whether the string contains lone surrogates.
//
// Most strings are short and plain, and are scanned in steps of eight bytes. A long
// string is usually a tool result with an escape every few bytes, so steps that expect no
// escape would often fail. Such a string is scanned in blocks, whose special bytes are
// all found at once.
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
	if i+block <= len(b) {
		var some bool
		if end, i, some = scanBlocks(b, i); end != 0 {
			return end, lone || some
		}
		lone = lone || some
	}
	end, some := scanRest(b, i)
	return end, lone || some
}

// scanRest is like scanString, but starts at i within the token. i must not be after a
// backslash.
func scanRest(b []byte, i int) (end int, lone bool) {
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

// scanBlocks is like scanRest for all whole blocks. If the token doesn't end within them,
// end is 0, and the scan continues at next.
func scanBlocks(b []byte, i int) (end, next int, lone bool) {
	for i+block <= len(b) {
		at := 0
		for m := blockSpecials(b[i : i+block]); m != 0; m &= ^uint64(0) << at {
			at = bits.TrailingZeros64(m)
			n, half := escape(b, i+at)
			if n <= 0 {
				return ending(i+at, n), 0, lone
			}
			at, lone = at+n, lone || half
		}
		i += max(at, block) // an escape may extend beyond the block
	}
	return 0, i, lone
}

// specials marks the special bytes of x (quotation marks, backslashes and control
// characters) by setting their highest bits. No other bit is set.
func specials(x uint64) uint64 {
	q := x ^ ones*'"'
	e := x ^ ones*'\\'
	return ^((q&^highs + ^uint64(highs) | q) & (e&^highs + ^uint64(highs) | e) & (x&^highs + ones*0x60 | x)) & highs
}

// blockSpecials returns one bit for each byte of b, which is set if the byte is special.
func blockSpecials(b []byte) (m uint64) {
	for i := 0; i < block; i += 8 {
		// The multiplication gathers the bits, which are eight apart.
		s := specials(binary.LittleEndian.Uint64(b[i:])) >> 7
		m |= s * 0x0102040810204080 >> 56 << i
	}
	return m
}

// escape returns the length of the escape at i. It is 0 for a quotation mark, and
// negative for anything else.
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

// ending returns the result of a scan that ended at i, where escape returned n.
func ending(i, n int) int {
	if n < 0 {
		return -1
	}
	return i + 1
}

// longEscape returns the length of the escape \uXXXX at the start of b, or of two escapes
// that form a surrogate pair, or -1 if b doesn't start with such an escape. half reports
// whether it is a lone surrogate.
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

// unit returns the UTF-16 code unit of the escape \uXXXX at the start of b, or -1.
func unit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	// A byte that is not a digit has the value -1, which makes the result negative.
	u := hexValue(b[2])<<12 | hexValue(b[3])<<8 | hexValue(b[4])<<4 | hexValue(b[5])
	return max(u, -1)
}

// hexValue returns the value of a hexadecimal digit, or -1 for any other byte.
func hexValue(c byte) rune { return rune(hexPlusOne[c]) - 1 }

// hexPlusOne maps hexadecimal digits to their value plus one.
var hexPlusOne = [256]uint8{
	'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10,
	'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16,
	'A': 11, 'B': 12, 'C': 13, 'D': 14, 'E': 15, 'F': 16,
}

// short marks the characters that follow the backslash in a two-character escape.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// surrogate returns an index in s before which no surrogate escape (\ud8.. to \udf..)
// starts, or -1 if s contains none.
func surrogate(s []byte) int {
	lower, upper := bytes.Index(s, []byte(`\ud`)), bytes.Index(s, []byte(`\uD`))
	switch {
	case lower < 0 && upper < 0:
		return -1
	case lower < 0 || upper >= 0 && upper < lower:
		return upper
	}
	return lower
}
