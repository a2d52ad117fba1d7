package rawjson

import "bytes"

// A Frame remembers a line except for one string in it. Streams repeat such
// lines thousands of times, each with another text. To compare a line with the
// frame is several times cheaper than to walk over its members. The zero Frame
// matches nothing.
type Frame struct{ head, tail []byte }

// maxFrame bounds the bytes of a line that a frame compares and keeps.
const maxFrame = 1 << 10

// Learn makes f match the lines that differ from line only in the string token
// line[from:to]. The line must be one object; see [Object.Span].
func (f *Frame) Learn(line []byte, from, to int) {
	if len(line)-(to-from) > maxFrame || line[from] != '"' {
		f.Forget()
		return
	}
	f.head = append(f.head[:0], line[:from+1]...)
	f.tail = append(f.tail[:0], line[to-1:]...)
}

// Forget makes f match nothing until it learns another line.
func (f *Frame) Forget() { f.head = f.head[:0] }

// Match returns the string of a line that f matches, as a part of the line. The
// result is the same as that of a [Walk] over the line.
func (f *Frame) Match(line []byte) (body String, ok bool) {
	from, to := len(f.head), len(line)-len(f.tail)
	if from == 0 || from > to {
		return nil, false
	}
	if !bytes.Equal(line[:from], f.head) || !bytes.Equal(line[to:], f.tail) {
		return nil, false
	}
	if end, _ := scanString(line[:min(to+8, len(line))], from-1); end != to+1 {
		return nil, false
	}
	return String(line[from:to]), true
}

// A Run is the strings of several lines, one after the other.
type Run struct {
	Text String
	Ends []int // where each string ends in Text; empty strings have no entry
}

// Run fills run with the strings of the lines at the start of text, as long as
// f matches the lines and the strings are at most limit bytes together. It
// returns the rest of text. Lines may end with CR LF.
func (f *Frame) Run(run *Run, text []byte, limit int) (rest []byte) {
	body, ends := run.Text[:0], run.Ends[:0]
	for len(text) > 0 {
		piece, length := f.first(text)
		if length == 0 || len(body)+len(piece) > limit {
			break
		}
		text = text[length:]
		if len(piece) > 0 {
			body = append(body, piece...)
			ends = append(ends, len(body))
		}
	}
	run.Text, run.Ends = body, ends
	return text
}

// first is Match for the first line of text. It returns the length of the line
// including its line end, or 0 if f does not match.
func (f *Frame) first(text []byte) (body String, length int) {
	from := len(f.head)
	if from == 0 || !bytes.HasPrefix(text, f.head) {
		return nil, 0
	}
	// Scanning the string finds its end sooner than a search for the line end.
	end, _ := scanString(text, from-1)
	if end < 0 || !bytes.HasPrefix(text[end-1:], f.tail) {
		return nil, 0
	}
	end += len(f.tail) - 1
	n, ok := newline(text[end:])
	if !ok {
		return nil, 0
	}
	return String(text[from : end-len(f.tail)]), end + n
}

// newline returns the length of the line end at the start of b. The end of b
// counts as one.
func newline(b []byte) (n int, ok bool) {
	switch {
	case len(b) == 0:
		return 0, true
	case b[0] == '\n':
		return 1, true
	case b[0] == '\r' && len(b) == 1:
		return 1, true
	case b[0] == '\r' && b[1] == '\n':
		return 2, true
	}
	return 0, false
}
