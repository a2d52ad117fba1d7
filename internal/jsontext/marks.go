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
	u       uint64 // the letter u, which digits follow in an escape
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
	var escaped, carry uint64
	paired := 0 // where the second half of a pair that has been read ends
	for ; i+block <= len(b); i += block {
		m.read((*[block]byte)(b[i:]))
		escaped, carry = m.escaped(carry)
		quotes := m.quote &^ escaped
		inside := quotes ^ (quotes - 1) // up to the first, all where there is none
		if inside&(m.control|escaped&^m.follow) != 0 {
			return -1, 0, lone
		}
		for digits := inside & escaped & m.u; digits != 0; digits &= digits - 1 {
			at := i + bits.TrailingZeros64(digits) - 1
			if at < paired {
				continue
			}
			n, half := longEscape(b[at:])
			if n < 0 {
				return -1, 0, lone
			}
			paired, lone = at+n, lone || half
		}
		if quotes != 0 {
			return i + bits.TrailingZeros64(quotes) + 1, 0, lone
		}
	}
	return 0, max(i-int(carry), paired), lone
}
