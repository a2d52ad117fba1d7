package jsontext

import "encoding/binary"

// A LooseFrame is a [Frame] for lines that differ in more than one string: they
// are numbered or dated, or have an id of their own. What such a token says is
// not looked at, only that it can stand there. The zero LooseFrame matches
// nothing.
type LooseFrame struct {
	frame          Frame
	inHead, inTail []gap
}

// A gap is a part, of eight bytes at most, of a token that may say anything that
// is as long. A counter is learned anew with each digit that it gains; in return
// no token's end is searched for.
type gap struct {
	at     int    // of the eight bytes
	bytes  uint64 // those of them that are of the token
	first  uint64 // the byte that may not be a zero: more digits follow
	digits bool   // it is a number, else the body of a string
}

// A Span is where a token stands in a line; see [Object.Span].
type Span struct{ From, To int }

// Learn makes f match the lines that differ from line only in the string token
// line[from:to] and in the free tokens. Of these, those that are neither digits
// nor a string without an escape are compared like the rest. The line must be
// one object.
func (f *LooseFrame) Learn(line []byte, from, to int, free ...Span) {
	f.frame.Learn(line, from, to)
	f.inHead, f.inTail = f.inHead[:0], f.inTail[:0]
	if len(f.frame.head) == 0 {
		return
	}
	for _, s := range free {
		if s.To <= from {
			f.inHead = appendGaps(f.inHead, f.frame.head, s.From, s.To)
		} else {
			f.inTail = appendGaps(f.inTail, f.frame.tail, s.From-(to-1), s.To-(to-1))
		}
	}
}

// appendGaps adds the gaps for the token text[from:to].
func appendGaps(gaps []gap, text []byte, from, to int) []gap {
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
	for at := from; at < to; at += 8 {
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

// Match returns the string of a line that f matches, as a part of it. What
// Match says of a line is what a [Walk] over it would.
func (f *LooseFrame) Match(line []byte) (body String, ok bool) {
	if len(f.inHead)+len(f.inTail) > 0 && !f.takeAll(line) {
		return nil, false
	}
	return f.frame.Match(line)
}

// takeAll fills the gaps with what the line has there; see [take].
func (f *LooseFrame) takeAll(line []byte) bool {
	to := len(line) - len(f.frame.tail)
	return len(f.frame.head) <= to && take(f.inHead, f.frame.head, line) && take(f.inTail, f.frame.tail, line[to:])
}

// take copies what stands in the gaps to known, so that all can be compared at
// once, as long as it may stand there. It looks closely only at what is new:
// most of a date is not.
func take(gaps []gap, known, line []byte) bool {
	for i := range gaps {
		g := &gaps[i]
		was, is := binary.LittleEndian.Uint64(known[g.at:]), binary.LittleEndian.Uint64(line[g.at:])
		if (is^was)&g.bytes == 0 {
			continue
		}
		wrong := specials(is)
		if g.digits {
			wrong = nonDigits(is)
			if g.first != 0 && (is^ones*'0')&g.first == 0 {
				return false
			}
		}
		if wrong&g.bytes != 0 {
			return false
		}
		binary.LittleEndian.PutUint64(known[g.at:], is&g.bytes|was&^g.bytes)
	}
	return true
}

// nonDigits marks the bytes of x that are no digits by their highest bits.
func nonDigits(x uint64) uint64 {
	x ^= ones * '0'
	return (x | (x&^highs + ones*(0x7f-9))) & highs
}
