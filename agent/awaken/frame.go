package awaken

import (
	"bytes"
	"encoding/binary"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// A deltaFrame knows again the lines that carry pieces of one text. Those of
// the head form differ in the text alone; those of the older form also in the
// two numbers of their envelope, which count the events and the time.
type deltaFrame struct {
	numbered        bool
	before, between []byte         // what stands around the first number
	rest            jsontext.Frame // the whole line, or what follows the second number
}

// Where the envelope's numbers stand. Inside a string these bytes cannot be:
// there a quotation mark is escaped.
var (
	seqKey  = []byte(`"seq":`)
	timeKey = []byte(`,"timestamp_ms":`)
)

// maxEnvelope bounds what a frame keeps of the envelope.
const maxEnvelope = 512

// learn remembers a line whose text is the string token line[from:to].
func (f *deltaFrame) learn(line []byte, from, to int) {
	f.numbered = false
	start := bytes.Index(line[:from], seqKey) + len(seqKey)
	if start < len(seqKey) {
		f.rest.Learn(line, from, to)
		return
	}
	end := start + digits(line[start:])
	next := end + len(timeKey)
	if end == start || !bytes.HasPrefix(line[end:], timeKey) || next > maxEnvelope {
		f.rest.Learn(line, from, to)
		return
	}
	last := next + digits(line[next:])
	f.numbered = true
	f.before = append(f.before[:0], line[:start]...)
	f.between = append(f.between[:0], line[end:next]...)
	f.rest.Learn(line[last:], from-last, to-last)
}

// match returns the text of a line that f knows.
func (f *deltaFrame) match(line []byte) (jsontext.String, bool) {
	if !f.numbered {
		return f.rest.Match(line)
	}
	if !bytes.HasPrefix(line, f.before) {
		return nil, false
	}
	line = line[len(f.before):]
	n := digits(line)
	if n == 0 || !bytes.HasPrefix(line[n:], f.between) {
		return nil, false
	}
	line = line[n+len(f.between):]
	if n = digits(line); n == 0 {
		return nil, false
	}
	return f.rest.Match(line[n:])
}

// forget makes f match nothing.
func (f *deltaFrame) forget() { *f = deltaFrame{} }

// digits is how many digits line begins with, as a JSON number may: none where
// a zero leads.
func digits(line []byte) int {
	n := 0
	for len(line)-n >= 8 && eight(binary.LittleEndian.Uint64(line[n:])) {
		n += 8
	}
	for n < len(line) && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	if n > 1 && line[0] == '0' {
		return 0
	}
	return n
}

// eight tells whether all bytes of x are digits: their upper halves are 3, and
// stay it when 6 is added.
func eight(x uint64) bool {
	const upper, three, six = 0xf0f0f0f0f0f0f0f0, 0x3030303030303030, 0x0606060606060606
	return x&upper == three && (x+six)&upper == three
}
