package jsontext

import "math/bits"

// block is how many bytes are looked at together: as many as a word has bits.
const block = 64

// even has every second bit, from the lowest one.
const even = 0x5555555555555555

// marks say which bytes of a block are what, a bit for each byte.
type marks struct {
	quote   uint64 // quotation marks
	slash   uint64 // backslashes
	control uint64 // control characters, which no string may have
	follow  uint64 // the characters that may stand behind a backslash
	u       uint64 // the letter u, which four digits follow in an escape
	digit   uint64 // hexadecimal digits
	d       uint64 // the letter d, with which surrogates begin
}

// escaped marks the characters behind a backslash that is not escaped itself.
// before is 1 where the first character stands behind such a one, else 0;
// after is the same for the next block.
//
// Within a run of backslashes every second one, beginning with the first,
// escapes what is behind it. To add a bit to the start of a run clears the run,
// so runs that start at even places are told from those at odd ones.
func (m *marks) escaped(before uint64) (escaped, after uint64) {
	runs := m.slash &^ before
	if runs == 0 {
		return before, 0
	}
	starts := runs &^ (runs << 1)
	left := runs + starts&even
	escaping := runs&^left&even | runs&left&^even
	return escaping<<1 | before, escaping >> (block - 1)
}

// scanMarked is scanBlocks for a processor that can read marks.
func scanMarked(b []byte, i int) (end, next int, lone bool) {
	var m marks
	var escaped, carry, us uint64
	var missing uint64 // digits that an escape of the block before has in this one
	paired := 0        // where the second half of a pair that has been read ends
	for ; i+block <= len(b); i += block {
		m.read((*[block]byte)(b[i:]))
		escaped, carry = m.escaped(carry)
		quotes := m.quote &^ escaped
		inside := quotes ^ (quotes - 1) // up to the first, all where there is none
		us = inside & escaped & m.u
		digits := us<<1 | us<<2 | us<<3 | us<<4 | missing
		if inside&(m.control|escaped&^m.follow|digits&^m.digit) != 0 {
			return -1, 0, lone
		}
		missing = us>>63 | us>>62 | us>>61 | us>>60
		// Surrogates are rare, and looked at one by one. Of the last u the next
		// block tells whether it is of one.
		if us<<1&m.d|us>>63 != 0 {
			var half, ok bool
			if paired, half, ok = surrogates(b, i, us, paired); !ok {
				return -1, 0, lone
			}
			lone = lone || half
		}
		if quotes != 0 {
			return i + bits.TrailingZeros64(quotes) + 1, 0, lone
		}
	}
	next = i - int(carry)
	if missing != 0 {
		next = i - bits.LeadingZeros64(us) - len(`\u`)
	}
	return 0, max(next, paired), lone
}

// surrogates looks at the escapes of the block at i whose second characters are
// us. The first may be a second half that has been read, up to paired. half tells
// whether one is a half without another.
func surrogates(b []byte, i int, us uint64, paired int) (end int, half, ok bool) {
	for ; us != 0; us &= us - 1 {
		at := i + bits.TrailingZeros64(us) - 1
		if at < paired {
			continue
		}
		n, lone := longEscape(b[at:])
		if n < 0 {
			return 0, false, false
		}
		paired, half = at+n, half || lone
	}
	return paired, half, true
}
