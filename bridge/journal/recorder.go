package journal

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/rawjson"
)

const (
	// maxBuffer bounds what a recorder holds before it writes by itself.
	maxBuffer = 256 << 10
	// maxEarly bounds what it holds of a session that has not begun.
	maxEarly = 1 << 20
	// maxJoined bounds a text that is joined from pieces, in bytes of JSON.
	maxJoined = 32 << 10
	// keepBuffer bounds a buffer that is used again.
	keepBuffer = 2 * maxBuffer
)

// A Recorder collects the records of a session, and appends them when it is told
// to. What comes before Begin is written with it, so that a session that does
// not open leaves no file. All methods are safe for concurrent use.
//
// After a failure nothing more is recorded: a session with a gap in it would
// be another one.
type Recorder struct {
	open  func() (Journal, error)
	dirty func(*Recorder)

	writing sync.Mutex // held while journal is used; taken before mu
	journal Journal    // nil before the first Flush
	title   title      // that the session gets with its first records

	mu     sync.Mutex
	begun  bool
	queued bool // dirty was called
	failed error
	told   bool // Failure has returned failed
	next   buffer
}

// A buffer holds records whose data is in one piece of memory.
type buffer struct {
	records []Record
	ends    []int // where the data of each record ends
	data    []byte
	text    pieces // what the last record is, if it is a text
}

// pieces says what a text belongs to.
type pieces struct{ kind, message string }

// NewRecorder returns a recorder for the journal that open opens. dirty is
// called when there is something to flush; it must not call the recorder.
func NewRecorder(open func() (Journal, error), dirty func(*Recorder)) *Recorder {
	return &Recorder{open: open, dirty: dirty}
}

// Continue returns a recorder for a journal that has begun. It closes j.
func Continue(j Journal, dirty func(*Recorder)) *Recorder {
	return &Recorder{dirty: dirty, journal: j, begun: true}
}

// Begin has everything written that is recorded, from now on.
func (r *Recorder) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = true
	r.queue()
}

// Add records data, which build appends to its argument.
func (r *Recorder) Add(at time.Time, kind string, build func(dst []byte) []byte) {
	r.add(at, kind, nil, build)
}

// AddData records data that is there already.
func (r *Recorder) AddData(at time.Time, kind string, data []byte) { r.add(at, kind, data, nil) }

func (r *Recorder) add(at time.Time, kind string, data []byte, build func(dst []byte) []byte) {
	r.mu.Lock()
	if r.failed != nil || !r.begun && len(r.next.data) > maxEarly {
		r.mu.Unlock()
		return
	}
	b := &r.next
	b.take()
	b.data = append(b.data, data...)
	if build != nil {
		b.data = build(b.data)
	}
	b.records = append(b.records, Record{Time: at, Type: kind})
	b.ends = append(b.ends, len(b.data))
	b.text = pieces{}
	full := r.added()
	r.mu.Unlock()
	if full {
		r.Flush()
	}
}

// AddText records a piece of a text, the body of a JSON string, as an event of type kind with the member
// field. Pieces of a message that have not been written are joined.
func (r *Recorder) AddText(kind, field, message string, text []byte) {
	const end = `"}`
	r.mu.Lock()
	if r.failed != nil || !r.begun && len(r.next.data) > maxEarly {
		r.mu.Unlock()
		return
	}
	b := &r.next
	b.take()
	n := len(b.ends)
	if b.text == (pieces{kind, message}) && len(b.data)-b.start(n-1)+len(text) <= maxJoined {
		b.data = append(append(b.data[:len(b.data)-len(end)], text...), end...)
		b.ends[n-1] = len(b.data)
	} else {
		b.data = append(append(append(b.data, `{"type":"`...), kind...), `","messageId":`...)
		b.data = rawjson.AppendString(b.data, message)
		b.data = append(append(append(b.data, `,"`...), field...), `":"`...)
		b.data = append(append(b.data, text...), end...)
		b.records = append(b.records, Record{Type: TypeEvent})
		b.ends = append(b.ends, len(b.data))
		b.text = pieces{kind, message}
	}
	full := r.added()
	r.mu.Unlock()
	if full {
		r.Flush()
	}
}

// start returns where the data of record i begins.
func (b *buffer) start(i int) int {
	if i == 0 {
		return 0
	}
	return b.ends[i-1]
}

// added says that there is something to flush, and reports whether that cannot
// wait.
func (r *Recorder) added() (full bool) {
	if !r.begun {
		return false
	}
	r.queue()
	return len(r.next.data) > maxBuffer
}

func (r *Recorder) queue() {
	if !r.queued && r.failed == nil {
		r.queued = true
		r.dirty(r)
	}
}

// Flush hands everything that was recorded to the system.
func (r *Recorder) Flush() {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush()
}

func (r *Recorder) flush() {
	r.mu.Lock()
	if !r.begun || r.failed != nil || len(r.next.records) == 0 && r.journal != nil {
		r.queued = false
		r.mu.Unlock()
		return
	}
	b := r.next
	r.next, r.queued = buffer{}, false
	r.mu.Unlock()
	defer b.free()

	from := 0
	for i, end := range b.ends {
		b.records[i].Data = b.data[from:end]
		from = end
	}
	if err := r.append(b.records); err != nil {
		r.fail(err)
	}
}

// buffers are those that no recorder has: an idle one holds none.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

// take takes a buffer where there is none.
func (b *buffer) take() {
	if b.data == nil {
		*b = *buffers.Get().(*buffer)
	}
}

// free gives a buffer to the next one that needs one.
func (b *buffer) free() {
	if cap(b.data) > keepBuffer {
		return
	}
	clear(b.records)
	buffers.Put(&buffer{records: b.records[:0], ends: b.ends[:0], data: b.data[:0]})
}

func (r *Recorder) append(records []Record) error {
	if r.journal == nil {
		j, err := r.open()
		if err != nil {
			return err
		}
		r.journal = j
	}
	if err := r.journal.Append(r.journal.Next(), records); err != nil {
		return err
	}
	if t := r.title; t.Title != "" {
		r.title = title{}
		return r.journal.Retitle(t.Title, t.ByUser)
	}
	return nil
}

func (r *Recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed, r.next = err, buffer{}
	}
}

// Sync returns when everything that was recorded is on the disk, or that has
// failed.
func (r *Recorder) Sync() {
	r.writing.Lock()
	r.flush()
	j := r.journal
	r.writing.Unlock()
	if j == nil {
		return
	}
	if err := j.Sync(); err != nil && !errors.Is(err, os.ErrClosed) {
		r.fail(err)
	}
}

// Retitle sets the session's title, as soon as there is something of it; see
// [Journal].
func (r *Recorder) Retitle(text string, byUser bool) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush()
	r.mu.Lock()
	failed := r.failed
	r.mu.Unlock()
	switch {
	case failed != nil:
		return failed
	case r.journal == nil:
		r.title = title{text, byUser}
		return nil
	}
	return r.journal.Retitle(text, byUser)
}

// Failure returns why the session is not recorded any more. It does so once.
func (r *Recorder) Failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.told {
		return nil
	}
	r.told = r.failed != nil
	return r.failed
}

// Close writes what is left and gives the journal up.
func (r *Recorder) Close() error {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush()
	r.fail(errClosed)
	if r.journal == nil {
		return nil
	}
	j := r.journal
	r.journal = nil
	return j.Close()
}
