package journal

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// maxJoined bounds a text that is joined from pieces, in bytes of JSON.
	maxJoined = 32 << 10
	// keepBatch bounds memory for lines that is used again.
	keepBatch = 2 * maxBuffer
)

// A batch is records that follow each other, as the lines that they are in a file:
// what an agent streams is copied once on its way there.
type batch struct {
	text  []byte
	count int64
	first int64  // the number of the first record
	last  int    // where the data of the last record begins
	piece pieces // what the last record is, if it is a text
}

// pieces says what a text belongs to.
type pieces struct{ kind, message string }

// What follows the data of a record, and the text of one that is a text.
const (
	lineEnd = "}\n"
	textEnd = `"}` + lineEnd
)

// batchMemory is memory that no recorder has: an idle one holds none.
var batchMemory = sync.Pool{New: func() any { return new([]byte) }}

// begin begins a record. Its data follows, and end.
func (b *batch) begin(seq int64, at time.Time, kind string) {
	if b.text == nil {
		b.text = (*batchMemory.Get().(*[]byte))[:0]
	}
	if b.count == 0 {
		b.first = seq
	}
	b.count++
	b.piece = pieces{}
	b.text = appendHead(b.text, seq, at, kind)
	b.last = len(b.text)
}

func (b *batch) end() { b.text = append(b.text, lineEnd...) }

// beginText begins a record of an event that has a text. That follows, and
// endText.
func (b *batch) beginText(seq int64, at time.Time, kind, field, message string) {
	b.begin(seq, at, TypeEvent)
	b.text = append(append(append(b.text, `{"type":"`...), kind...), `","messageId":`...)
	b.text = rawjson.AppendString(b.text, message)
	b.text = append(append(append(b.text, `,"`...), field...), `":"`...)
	b.piece = pieces{kind, message}
}

func (b *batch) endText() { b.text = append(b.text, textEnd...) }

// join adds a piece to the last record, if that is a text which it continues.
func (b *batch) join(kind, message string, text []byte) bool {
	if b.count == 0 || b.piece != (pieces{kind, message}) || len(b.text)-b.last+len(text) > maxJoined {
		return false
	}
	b.text = append(append(b.text[:len(b.text)-len(textEnd)], text...), textEnd...)
	return true
}

// A LineAppender is a [Journal] that takes records as lines as well.
type LineAppender interface {
	// AppendLines is Append for count records that are lines already, with the
	// numbers from expected. It does not keep text.
	AppendLines(expected, count int64, text []byte) error
}

// appendTo appends the records to a journal. In one whose numbers are others they
// get new ones.
func (b *batch) appendTo(j Journal) error {
	to, ok := j.(LineAppender)
	if ok && (b.first == j.Next() || b.count == 0) {
		return to.AppendLines(j.Next(), b.count, b.text)
	}
	var records []Record
	for line := range bytes.Lines(b.text) {
		r, err := ParseRecord(line)
		if err != nil {
			return fmt.Errorf("read what was recorded: %w", err)
		}
		records = append(records, r)
	}
	return j.Append(j.Next(), records)
}

// free gives the memory to the next one that needs some.
func (b *batch) free() {
	if b.text != nil && cap(b.text) <= keepBatch {
		batchMemory.Put(&b.text)
	}
}

// appendHead appends the line of a record up to its data.
func appendHead(dst []byte, seq int64, at time.Time, kind string) []byte {
	dst = strconv.AppendInt(append(dst, `{"seq":`...), seq, 10)
	if !at.IsZero() {
		dst = at.UTC().AppendFormat(append(dst, `,"time":"`...), timeFormat)
		dst = append(dst, '"')
	}
	dst = rawjson.AppendString(append(dst, `,"type":`...), kind)
	return append(dst, `,"data":`...)
}
