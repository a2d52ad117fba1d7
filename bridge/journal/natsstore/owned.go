package natsstore

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/turnwire/turnwire/bridge/journal"
)

const (
	// maxHeld bounds what waits to be sent for one session, in bytes, and maxAllHeld
	// for all.
	maxHeld    = 32 << 20
	maxAllHeld = 256 << 20
	// settleTime is how long the server may take to have what was appended before
	// nobody waits for it any more.
	settleTime = 5 * time.Second
	// closeTime is the same at the end of a session.
	closeTime = 1500 * time.Millisecond
)

// owned is a session that this process owns.
type owned struct {
	store  *Store
	header journal.Header
	place  string // the end of its subjects
	key    string // of its lease
	writer string // what no other owner is called: it begins with the server and a dot
	entry  []byte // of the lease

	questions questions

	leasing  sync.Mutex // guards what follows
	revision uint64     // of the lease
	released bool

	mu       sync.Mutex
	head     []byte // the header, if it is not appended yet
	appended state  // after what was appended
	queue    []byte // what was appended, and is not on its way yet
	title    *title // that is not on its way yet
	idle     chan struct{}
	failed   error
	closed   bool

	// What follows belongs to the goroutine that sends; idle is nil while there is
	// none.
	sent      state
	sequence  uint64 // of the last message
	messages  int64
	impatient bool // nothing is tried again
	early     bool // it was made while the server was away, and has not begun there
}

func newOwned(s *Store, h journal.Header, place string) *owned {
	o := &owned{store: s, header: h, place: place, key: idToken(h.ID), writer: s.id + "." + unique()}
	o.questions.owned = o
	return o
}

func (o *owned) Header() journal.Header { return o.header }

func (o *owned) Next() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.appended.Next
}

// Append implements [journal.Journal].
func (o *owned) Append(expected int64, records []journal.Record) error {
	var text []byte
	for i, r := range records {
		r.Seq = expected + int64(i)
		text = journal.AppendRecord(text, r)
	}
	return o.AppendLines(expected, int64(len(records)), text)
}

// AppendLines implements [journal.LineAppender].
func (o *owned) AppendLines(expected, count int64, text []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	size := len(o.head) + len(text)
	switch {
	case o.closed:
		return os.ErrClosed
	case o.failed != nil:
		return o.failed
	case expected != o.appended.Next:
		return journal.ErrConflict
	case size == 0:
		return nil
	case len(o.queue) > maxHeld || o.store.held.Load() > maxAllHeld:
		o.failLocked(fmt.Errorf("keep the session: %w, and too much waits for it", errAway))
		return o.failed
	}
	o.queue = append(append(o.queue, o.head...), text...)
	o.head = nil
	o.store.held.Add(int64(size))
	o.appended.Next += count
	o.appended.Size += int64(size)
	o.notePrompt(text)
	o.send()
	return nil
}

// notePrompt looks for the first prompt in lines.
func (o *owned) notePrompt(text []byte) {
	if o.appended.Prompted || !bytes.Contains(text, []byte(journal.TypePrompt)) {
		return
	}
	for line := range bytes.Lines(text) {
		if r, err := journal.ParseRecord(line); err == nil && r.Type == journal.TypePrompt {
			o.appended.Prompted, o.appended.Title = true, journal.PromptTitle(r)
			return
		}
	}
}

// send has what waits sent. The lock is held.
func (o *owned) send() {
	if o.idle == nil && o.failed == nil {
		o.idle = make(chan struct{})
		o.store.work.Go(o.sendAll)
	}
}

// Settle implements [journal.Settler].
func (o *owned) Settle() error {
	if err := o.wait(settleTime); !errors.Is(err, journal.ErrLate) {
		return err
	}
	return nil
}

// Sync implements [journal.Journal].
func (o *owned) Sync() error { return o.wait(settleTime) }

// wait returns when the server has everything. It does not wait for one that is
// known not to answer.
func (o *owned) wait(limit time.Duration) error {
	o.mu.Lock()
	idle, failed := o.idle, o.failed
	o.mu.Unlock()
	switch {
	case failed != nil:
		return failed
	case idle == nil:
		return nil
	case o.store.isAway():
		return journal.ErrLate
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-idle:
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.failed
	case <-late.C:
		o.store.away.Store(true)
		return journal.ErrLate
	}
}

// Retitle implements [journal.Journal]. The title is sent after what was appended.
func (o *owned) Retitle(text string, byUser bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return os.ErrClosed
	case o.failed != nil:
		return o.failed
	case o.title != nil && o.title.ByUser && !byUser:
		return nil
	}
	o.title = &title{journal.ShortTitle(text), byUser}
	o.send()
	return nil
}

// Close implements [journal.Journal]. A session without records leaves nothing.
func (o *owned) Close() error {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return nil
	}
	o.closed = true
	o.mu.Unlock()
	err := o.wait(closeTime)
	if errors.Is(err, journal.ErrLate) {
		err = fmt.Errorf("the end of the session %s is not kept: %w", o.header.ID, errAway)
	}
	o.mu.Lock()
	o.failLocked(os.ErrClosed)
	o.mu.Unlock()
	o.store.remove(o)
	o.leasing.Lock()
	defer o.leasing.Unlock()
	o.released = true
	if unreachable := o.store.reachable(); unreachable != nil {
		return errors.Join(err, unreachable) // the lease expires
	}
	ctx, cancel := o.store.call()
	defer cancel()
	o.questions.forget(ctx)
	if o.revision == 0 {
		return err // it was never taken
	}
	return errors.Join(err, o.release())
}

// fail ends the keeping of the session.
func (o *owned) fail(err error) {
	o.mu.Lock()
	first := o.failed == nil
	o.failLocked(err)
	o.mu.Unlock()
	if first && errors.Is(err, journal.ErrFenced) {
		o.store.cfg.Log.Warn("another server has taken a session over", "session", o.header.ID, "error", err)
		if lost := o.store.cfg.Lost; lost != nil {
			o.store.work.Go(func() { lost(o.header.ID, err) })
		}
	}
}

func (o *owned) failLocked(err error) {
	if o.failed != nil {
		return
	}
	o.failed = err
	o.store.held.Add(-int64(len(o.queue)))
	o.queue, o.title = nil, nil
}
