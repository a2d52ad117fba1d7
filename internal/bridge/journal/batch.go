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
	// maxJoined bounds a text joined from pieces, in bytes of JSON.
	maxJoined = 32 << 10
	// keepBatch bounds the memory for lines that is reused.
	keepBatch = 2 * maxBuffer
)

// A batch holds consecutive records as lines of a file. This way, the agent's streamed
// text is copied only once.
type batch struct {
	text  []byte
	count int64
	first int64  // the number of the first record
	last  int    // where the data of the last record begins
	piece pieces // identifies the last record, if it is a text
}

// pieces identifies the message that a text belongs to.
type pieces struct{ kind, message string }

// The text after a record's data, and after the text of a text record.
const (
	lineEnd = "}\n"
	textEnd = `"}` + lineEnd
)

// batchMemory is memory that no recorder uses; an idle recorder holds none.
var batchMemory = sync.Pool{New: func() any { return new([]byte) }}

// begin starts a record. The caller appends its data and calls end.
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

// beginText starts a record of an event with a text. The caller appends the text and
// calls endText.
func (b *batch) beginText(seq int64, at time.Time, kind, field, message string) {
	b.begin(seq, at, TypeEvent)
	b.text = append(append(append(b.text, `{"type":"`...), kind...), `","messageId":`...)
	b.text = rawjson.AppendString(b.text, message)
	b.text = append(append(append(b.text, `,"`...), field...), `":"`...)
	b.piece = pieces{kind, message}
}

func (b *batch) endText() { b.text = append(b.text, textEnd...) }

// join appends a piece to the last record, if that is a text of the same message. It
// returns false otherwise.
func (b *batch) join(kind, message string, text []byte) bool {
	if b.count == 0 || b.piece != (pieces{kind, message}) || len(b.text)-b.last+len(text) > maxJoined {
		return false
	}
	b.text = append(append(b.text[:len(b.text)-len(textEnd)], text...), textEnd...)
	return true
}

// A LineAppender is a [Journal] that also accepts records as lines.
type LineAppender interface {
	// AppendLines is like Append, for count records that are already lines, numbered
	// from expected. It does not retain text.
	AppendLines(expected, count int64, text []byte) error
}

// appendTo appends the records to a journal. If the journal's next number differs, the
// records are renumbered.
func (b *batch) appendTo(j Journal) error {
	to, ok := j.(LineAppender)
	if ok && (b.first == j.Next() || b.count == 0) {
		return to.AppendLines(j.Next(), b.count, b.text)
	}
	var records []Record
	for line := range bytes.Lines(b.text) {
		r, err := ParseRecord(line)
		if err != nil {
			return fmt.Errorf("read the records: %w", err)
		}
		records = append(records, r)
	}
	return j.Append(j.Next(), records)
}

// free returns the memory for reuse.
func (b *batch) free() {
	if b.text != nil && cap(b.text) <= keepBatch {
		batchMemory.Put(&b.text)
	}
}

// appendHead appends a record's line up to its data.
func appendHead(dst []byte, seq int64, at time.Time, kind string) []byte {
	dst = strconv.AppendInt(append(dst, `{"seq":`...), seq, 10)
	if !at.IsZero() {
		dst = at.UTC().AppendFormat(append(dst, `,"time":"`...), timeFormat)
		dst = append(dst, '"')
	}
	dst = rawjson.AppendString(append(dst, `,"type":`...), kind)
	return append(dst, `,"data":`...)
}
