package jsontext

import "bytes"

// A Frame remembers a line by what stands around one string in it. Streams
// repeat such lines thousands of times with another text each: to find that
// they are the same but for the text costs a comparison, where a walk over the
// members costs several times as much. The zero Frame matches nothing.
type Frame struct {
	head, tail     []byte
	inHead, inTail []gap
	loose          bool // there are gaps
}

// A Span is where a token stands in a line; see [Object.Span].
type Span struct{ From, To int }

// maxFrame bounds the bytes of a line that a frame compares and keeps.
const maxFrame = 1 << 10

// Learn makes f match the lines that differ from line only in the string token
// line[from:to] and in the free tokens, which number or date them: they may say
// anything that is as long. Of these, those that are neither digits nor a string
// without an escape are compared like the rest. The line must be one object; see
// [Object.Span].
func (f *Frame) Learn(line []byte, from, to int, free ...Span) {
	if len(line)-(to-from) > maxFrame || line[from] != '"' {
		*f = Frame{}
		return
	}
	head, tail := line[:from+1], line[to-1:]
	f.inHead, f.inTail = f.inHead[:0], f.inTail[:0]
	for _, s := range free {
		if s.To <= from {
			f.inHead = appendGaps(f.inHead, f.head, head, s.From, s.To)
		} else {
			f.inTail = appendGaps(f.inTail, f.tail, tail, s.From-(to-1), s.To-(to-1))
		}
	}
	f.head = append(f.head[:0], head...)
	f.tail = append(f.tail[:0], tail...)
	f.loose = len(f.inHead)+len(f.inTail) > 0
}

// Match returns the string of a line that f matches, as a part of it. What
// Match says of a line is what a [Walk] over it would.
func (f *Frame) Match(line []byte) (body String, ok bool) {
	if f.loose && !f.fill(line) {
		return nil, false
	}
	from, to := len(f.head), len(line)-len(f.tail)
	if from == 0 || from > to || !bytes.Equal(line[:from], f.head) || !bytes.Equal(line[to:], f.tail) {
		return nil, false
	}
	if end, _ := scanString(line[:min(to+8, len(line))], from-1); end != to+1 {
		return nil, false
	}
	return String(line[from:to]), true
}
