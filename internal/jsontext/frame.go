package jsontext

import "bytes"

// A Frame remembers a line by what stands around one string in it. Streams
// repeat such lines thousands of times with another text each: to find that
// they are the same but for the text costs a comparison, where a walk over the
// members costs several times as much. The zero Frame matches nothing.
type Frame struct{ head, tail []byte }

// maxFrame bounds the bytes of a line that a frame compares and keeps.
const maxFrame = 1 << 10

// Learn makes f match the lines that differ from line only in the string token
// line[from:to]; see [Object.Span]. The line must be one object.
func (f *Frame) Learn(line []byte, from, to int) {
	if len(line)-(to-from) > maxFrame || line[from] != '"' {
		*f = Frame{}
		return
	}
	f.head = append(f.head[:0], line[:from+1]...)
	f.tail = append(f.tail[:0], line[to-1:]...)
}

// Match returns the string of a line that f matches, as a part of it. What
// Match says of a line is what a [Walk] over it would.
func (f *Frame) Match(line []byte) (body String, ok bool) {
	from, to := len(f.head), len(line)-len(f.tail)
	if from == 0 || from > to || !bytes.Equal(line[:from], f.head) || !bytes.Equal(line[to:], f.tail) {
		return nil, false
	}
	if end, _ := scanString(line[:to+1], from-1); end != to+1 {
		return nil, false
	}
	return String(line[from:to]), true
}
