package glue

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// maxHead bounds the bytes of a line that are compared and kept.
const maxHead = 512

// A numbered frame is a [jsontext.Frame] for lines that also count: before the
// text may stand up to two runs of digits that differ from line to line. A walk
// over the members costs several times as much as this comparison.
type numbered struct {
	before [2][]byte // what stands before each run
	zeros  [2]bool   // the run may begin with a zero and go on
	runs   int
	rest   jsontext.Frame // what follows
}

// A run is where a run of digits stands in a line.
type run struct {
	from, to int
	zeros    bool // it is a part of a string or of a fraction
}

// learn makes n match the lines that differ from line only in the digits of
// runs and in the string token line[from:to].
func (n *numbered) learn(line []byte, runs []run, from, to int) {
	n.runs = 0
	if from > maxHead {
		return
	}
	at := 0
	for _, r := range runs {
		if r.from < at || r.to > from || n.runs == len(n.before) {
			continue // behind the text, where it is compared as it stands
		}
		n.before[n.runs] = append(n.before[n.runs][:0], line[at:r.from]...)
		n.zeros[n.runs] = r.zeros
		n.runs++
		at = r.to
	}
	n.rest.Learn(line[at:], from-at, to-at)
}

// match is for a frame that has learned a line with a run.
func (n *numbered) match(line []byte) (body jsontext.String, ok bool) {
	for i, before := range n.before[:n.runs] {
		if len(line) < len(before) || !bytes.Equal(line[:len(before)], before) {
			return nil, false
		}
		line = line[len(before):]
		digits := countDigits(line)
		if digits == 0 || digits > 1 && line[0] == '0' && !n.zeros[i] {
			return nil, false
		}
		line = line[digits:]
	}
	return n.rest.Match(line)
}

// countDigits is how many digits b begins with. It looks at eight bytes at a
// time: in each, what is no digit gets its high bit set.
func countDigits(b []byte) int {
	const each = 0x0101010101010101
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(b[n:]) ^ '0'*each
		if others := (x + (0x7f-9)*each | x) & (0x80 * each); others != 0 {
			return n + bits.TrailingZeros64(others)/8
		}
	}
	for n < len(b) && b[n]-'0' <= 9 {
		n++
	}
	return n
}

// lastRun is the last run of digits in the token line[from:to]; it is empty
// where there is none. One behind an escape is part of it, perhaps.
func lastRun(line []byte, from, to int) run {
	if line[from] == '"' {
		for to > from && (line[to-1] < '0' || line[to-1] > '9') {
			to--
		}
	}
	r := run{from: to, to: to, zeros: line[from] == '"'}
	for r.from > from && line[r.from-1]-'0' <= 9 {
		r.from--
	}
	if r.zeros && bytes.IndexByte(line[from:to], '\\') >= 0 || !r.zeros && r.from != from {
		return run{}
	}
	return r
}
