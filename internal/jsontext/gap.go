package jsontext

import (
	"encoding/binary"
	"math/bits"
)

// A gap is a part, of eight bytes at most, of a token that may say anything that
// is as long. A counter is learned anew with each digit that it gains; in return
// no token's end is searched for.
type gap struct {
	at     int    // of the eight bytes
	bytes  uint64 // those of them that are of the token
	loose  uint64 // the bits that may change without a look at what comes out
	first  uint64 // the byte that may not be a zero: more digits follow
	digits bool   // it is a number, else the body of a string
}

// appendGaps adds the gaps for the token text[from:to], which has changed since
// before was learned, or had gaps then, which were known. Most tokens that may
// change do not, or not in every line: they are sooner compared with the rest
// than looked at. Gaps begin where the token changed first, and at its last eight
// bytes at the latest: most of a date stays as it is for a while.
func appendGaps(gaps, known []gap, before, text []byte, from, to int) []gap {
	if from >= to || len(text) < 8 || len(before) != len(text) {
		return gaps
	}
	digits := text[from] != '"'
	if !digits {
		from, to = from+1, to-1
	}
	for _, c := range text[from:to] {
		if c == '\\' || digits && c-'0' > 9 {
			return gaps
		}
	}
	at := from + common(before[from:to], text[from:to])
	for _, g := range known {
		if first := g.at + bits.TrailingZeros64(g.bytes)/8; from <= first && first < to {
			at = min(at, first)
		}
	}
	if at == to {
		return gaps
	}
	for at = min(at, max(from, to-8)); at < to; at += 8 {
		g := gap{at: min(at, len(text)-8), digits: digits}
		for i := at; i < min(at+8, to); i++ {
			g.bytes |= 0xff << (8 * (i - g.at))
		}
		if digits && at == from && from+1 < to {
			g.first = 0xff << (8 * (at - g.at))
		}
		g.settle(binary.LittleEndian.Uint64(text[g.at:]))
		gaps = append(gaps, g)
	}
	return gaps
}

// common is how many bytes a and b, which are as long, begin with alike.
func common(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}

// fill takes what stands in the gaps of a known text over from line, which is at
// least as long, so that all can be compared at once. It tells whether it may
// stand there.
func fill(gaps []gap, known, line []byte) bool {
	for i := range gaps {
		g := &gaps[i]
		at := (*[8]byte)(known[g.at:])
		was, is := binary.LittleEndian.Uint64(at[:]), binary.LittleEndian.Uint64(line[g.at:])
		change := (was ^ is) & g.bytes
		if change&^g.loose != 0 && !g.admits(is) {
			return false
		}
		binary.LittleEndian.PutUint64(at[:], was^change)
	}
	return true
}

// admits tells whether is may stand in the gap, and expects more like it.
func (g *gap) admits(is uint64) bool {
	if g.digits {
		if (nonDigits(is)|zeros(is)&g.first)&g.bytes != 0 {
			return false
		}
	} else if specials(is)&g.bytes != 0 {
		return false
	}
	g.settle(is)
	return true
}

// settle finds the bits of the gap's bytes, of which is are valid ones, that make
// no invalid byte of a valid one whatever they are: of most bytes of a string the
// lower four, as what may not stand there is among 00 to 2f and 50 to 5f; of the
// digits 0 to 7 the lower three, of 8 and 9 the lowest.
func (g *gap) settle(is uint64) {
	if g.digits {
		g.loose = (ones | ^is>>3&ones*6) &^ g.first
		return
	}
	g.loose = (is>>5&(is>>4) | is>>6&^(is>>4)) &^ (is >> 7) & ones * 0xf
}

// nonDigits marks the bytes of x that are no digits by their highest bits.
func nonDigits(x uint64) uint64 {
	x ^= ones * '0'
	return (x | (x&^highs + ones*(0x7f-9))) & highs
}

// zeros marks the bytes of x that are the digit 0 by their highest bits.
func zeros(x uint64) uint64 {
	x ^= ones * '0'
	return ^(x&^highs + ^uint64(highs) | x) & highs
}
