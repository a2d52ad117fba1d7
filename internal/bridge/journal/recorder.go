package journal

import (
	"errors"
	"os"
	"sync"
	"time"
)

const (
	// maxBuffer bounds the bytes that a recorder holds before it writes on its own.
	maxBuffer = 256 << 10
	// maxWaiting bounds the bytes that wait for a slow store; see [Recorder.AwaitRoom].
	maxWaiting = 1 << 20
	// maxEarly bounds the bytes held for a session that has not begun.
	maxEarly = 1 << 20
)

// A Recorder collects a session's records, and appends them to its journal when it is
// flushed. Records added before Begin are written with it, so a session that fails to
// open leaves no file. All methods are safe for concurrent use. Those that add records
// don't wait for the store.
//
// After a failure nothing more is recorded: a session with a gap would be a different
// session.
type Recorder struct {
	open  func() (Journal, error)
	dirty func(*Recorder)

	writing storeLock // held while journal is used; acquired before mu
	journal Journal   // nil before the first Flush
	title   title     // the title to set with the first records

	mu       sync.Mutex
	begun    bool
	ended    bool // nothing more is added
	queued   bool // dirty was called
	relieved bool // a goroutine was started that flushes
	failed   error
	reported bool  // Failure has returned failed
	seq      int64 // the number of the next record, if known
	next     batch
}

// NewRecorder returns a recorder for the journal that open opens. dirty is called when
// there is something to flush; it must not call the recorder.
func NewRecorder(open func() (Journal, error), dirty func(*Recorder)) *Recorder {
	return &Recorder{open: open, dirty: dirty, seq: 1}
}

// Continue returns a recorder for an open journal. Close closes j.
func Continue(j Journal, dirty func(*Recorder)) *Recorder {
	return &Recorder{dirty: dirty, journal: j, begun: true, seq: j.Next()}
}

// Begin allows the recorder to write. Until then, it only holds records.
func (r *Recorder) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = true
	r.queue()
}

// Add adds a record. build appends the record's data to its argument.
func (r *Recorder) Add(at time.Time, kind string, build func(dst []byte) []byte) {
	r.add(at, kind, nil, build)
}

// AddData adds a record with the given data.
func (r *Recorder) AddData(at time.Time, kind string, data []byte) { r.add(at, kind, data, nil) }

func (r *Recorder) add(at time.Time, kind string, data []byte, build func(dst []byte) []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isDeaf() {
		return
	}
	r.next.begin(r.seq, at, kind)
	r.next.text = append(r.next.text, data...)
	if build != nil {
		r.next.text = build(r.next.text)
	}
	r.next.end()
	r.seq++
	r.added()
}

// AddText adds a piece of a text as an event of type kind, in the member field. text is
// the body of a JSON string. Unwritten pieces of the same message are joined.
func (r *Recorder) AddText(kind, field, message string, text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isDeaf() {
		return
	}
	if !r.next.join(kind, message, text) {
		r.next.beginText(r.seq, time.Now(), kind, field, message)
		r.next.text = append(r.next.text, text...)
		r.next.endText()
		r.seq++
	}
	r.added()
}

// isDeaf reports whether records are dropped. The caller holds mu.
func (r *Recorder) isDeaf() bool {
	return r.failed != nil || r.ended || !r.begun && len(r.next.text) > maxEarly
}

// added schedules a flush, and starts it if many records wait. The caller holds mu.
func (r *Recorder) added() {
	if !r.begun {
		return
	}
	r.queue()
	if len(r.next.text) > maxBuffer && !r.relieved {
		r.relieved = true
		go r.relieve()
	}
}

// relieve flushes until few records wait.
func (r *Recorder) relieve() {
	for more := true; more; {
		r.Flush()
		r.mu.Lock()
		more = r.failed == nil && len(r.next.text) > maxBuffer // they were added meanwhile
		r.relieved = more
		r.mu.Unlock()
	}
}

// AwaitRoom blocks while too many records wait for the store. The caller holds no lock that
// others need meanwhile.
func (r *Recorder) AwaitRoom() {
	r.mu.Lock()
	full := r.begun && len(r.next.text) > maxWaiting
	r.mu.Unlock()
	if full {
		r.Flush()
	}
}

// End drops what is added from now on. Close still writes what was added before.
func (r *Recorder) End() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
}

func (r *Recorder) queue() {
	if !r.queued && r.failed == nil {
		r.queued = true
		r.dirty(r)
	}
}

// Flush passes all records to the journal.
func (r *Recorder) Flush() {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.flush()
}

func (r *Recorder) flush() {
	r.mu.Lock()
	if !r.begun || r.failed != nil || r.next.count == 0 && r.journal != nil {
		r.queued = false
		r.mu.Unlock()
		return
	}
	b := r.next
	r.next, r.queued = batch{}, false
	r.mu.Unlock()
	defer b.free()
	if err := r.append(&b); err != nil {
		r.fail(err)
	}
}

func (r *Recorder) append(b *batch) error {
	if r.journal == nil {
		j, err := r.open()
		if err != nil {
			return err
		}
		r.journal = j
		r.mu.Lock()
		r.seq += j.Next() - 1 // it may have begun as a copy
		r.mu.Unlock()
	}
	if err := b.appendTo(r.journal); err != nil {
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
		r.failed, r.next = err, batch{}
	}
}

// settle waits until what was flushed survives the death of this process.
func (r *Recorder) settle() {
	r.writing.Lock()
	s, ok := r.journal.(Settler)
	r.writing.Unlock()
	if !ok {
		return
	}
	if err := s.Settle(); err != nil && !errors.Is(err, os.ErrClosed) {
		r.fail(err)
	}
}

// Sync waits until all records are on disk, or until that has failed.
func (r *Recorder) Sync() {
	r.writing.Lock()
	r.flush()
	j := r.journal
	r.writing.Unlock()
	if j == nil {
		return
	}
	if err := j.Sync(); err != nil && !errors.Is(err, os.ErrClosed) && !errors.Is(err, ErrLate) {
		r.fail(err)
	}
}

// Retitle sets the session's title, or remembers it until the first records are
// written; see [Journal].
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

// Failure returns why the session is no longer recorded. It returns each failure only
// once.
func (r *Recorder) Failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reported {
		return nil
	}
	r.reported = r.failed != nil
	return r.failed
}

// Close writes the remaining records and closes the journal.
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
