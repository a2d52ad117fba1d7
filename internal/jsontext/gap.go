package jsontext

import "encoding/binary"

// A gap is a part, of eight bytes at most, of a token that may say anything that
// is as long. A counter is learned anew with each digit that it gains; in return
// no token's end is searched for.
type gap struct {
	at     int    // of the eight bytes
	bytes  uint64 // those of them that are of the token
	first  uint64 // the byte that may not be a zero: more digits follow
	digits bool   // it is a number, else the body of a string
}

// appendGaps adds the gaps for the token text[from:to]. They begin where it
// differs from what was learned before, and at its last eight bytes at the
// latest: most of a date stays as it is for a while, and is sooner compared than
// looked at. If it changes it is learned.
func appendGaps(gaps []gap, before, text []byte, from, to int) []gap {
	if from >= to || len(text) < 8 {
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
	at := max(from, to-8)
	if len(before) == len(text) {
		at = min(at, from+common(before[from:to], text[from:to]))
	}
	for ; at < to; at += 8 {
		g := gap{at: min(at, len(text)-8), digits: digits}
		for i := at; i < min(at+8, to); i++ {
			g.bytes |= 0xff << (8 * (i - g.at))
		}
		if digits && at == from && from+1 < to {
			g.first = 0xff << (8 * (at - g.at))
		}
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

// fill takes what stands in the gaps over from a line, so that all can be
// compared at once. It tells whether it may stand there.
func (f *Frame) fill(line []byte) bool {
	from, to := len(f.head), len(line)-len(f.tail)
	return from <= to && take(f.inHead, f.head, line) && (len(f.inTail) == 0 || take(f.inTail, f.tail, line[to:]))
}

func take(gaps []gap, known, line []byte) bool {
	line = line[:len(known)]
	for i := range gaps {
		g := &gaps[i]
		at := known[g.at:][:8]
		was, is := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(line[g.at:])
		change := (was ^ is) & g.bytes
		if change == 0 {
			continue
		}
		wrong := specials(is)
		if g.digits {
			wrong = nonDigits(is) | zeros(is)&g.first
		}
		if wrong&g.bytes != 0 {
			return false
		}
		binary.LittleEndian.PutUint64(at, was^change)
	}
	return true
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
