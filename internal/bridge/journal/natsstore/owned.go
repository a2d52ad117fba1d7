package natsstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// settleTime bounds the wait until the server has what was appended.
	settleTime = 5 * time.Second
	// closeTime is the same bound for closing a session.
	closeTime = 1500 * time.Millisecond
)

// owned is a session that this process owns. Appended records go through its backlog to
// its tail. The mutex is not held while the server is called or while another mutex is
// acquired.
type owned struct {
	store     *Store
	header    journal.Header
	lease     *lease
	questions *questions

	// The sending goroutine owns the next two fields.
	tail  *tail
	early bool // it was created while the server was away, and does not exist there yet

	mu       sync.Mutex // guards the following fields
	backlog  backlog
	appended state // the state after everything appended
	sends    bool  // a goroutine is sending
	failed   error
	closed   bool
	released chan struct{} // closed when another owner is possible; nil until Close
}

func newOwned(s *Store, h journal.Header) *owned {
	o := &owned{store: s, header: h, lease: s.newLease(h.ID), backlog: backlog{unsent: &s.unsent}}
	o.tail = &tail{archive: s.archive, session: h.ID, place: place(h.Agent, h.Cwd, h.ID), writer: o.lease.owner.Writer, retry: o.retry}
	o.questions = &questions{conn: s.conn, bucket: s.questions, lease: o.lease, retry: o.retry, fail: o.fail}
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
	size := o.backlog.size(text)
	switch {
	case o.closed:
		return os.ErrClosed
	case o.failed != nil:
		return o.failed
	case expected != o.appended.Next:
		return journal.ErrConflict
	case size == 0:
		return nil
	case o.backlog.isFull():
		o.failLocked(fmt.Errorf("save session: %w, and too many records are waiting", errAway))
		return o.failed
	}
	o.backlog.add(text)
	o.appended.Next += count
	o.appended.Size += size
	o.appended.notePrompt(text)
	o.send()
	return nil
}

// send starts sending the backlog. The caller holds the lock.
func (o *owned) send() {
	if !o.sends && o.failed == nil {
		o.sends = true
		o.store.conn.work.Go(o.sendAll)
	}
}

// sendAll sends the backlog until it is empty.
func (o *owned) sendAll() {
	for {
		o.mu.Lock()
		text, named, marks := o.backlog.take()
		after := o.appended
		if o.failed != nil || len(text) == 0 && named == nil {
			o.sends = false
			o.mu.Unlock()
			marks.close()
			return
		}
		o.mu.Unlock()
		err := o.beginLate()
		if err == nil {
			err = o.tail.add(text, after)
		}
		o.backlog.sent(text)
		if err == nil && named != nil {
			err = o.tail.rename(*named)
		}
		if err != nil {
			o.fail(err)
		}
		marks.close()
	}
}

// begin acquires the lease of a new session.
func (o *owned) begin() error {
	id := o.header.ID
	m, err := o.store.archive.find(id)
	switch {
	case err == nil:
		return fmt.Errorf("save session %s: %s: %w", id, m.Subject, journal.ErrExists)
	case !errors.Is(err, journal.ErrNotFound):
		return fmt.Errorf("save session %s: %w", id, err)
	}
	return o.lease.acquire()
}

// beginLate acquires the lease of a session that was created while the server was away.
func (o *owned) beginLate() error {
	if !o.early {
		return nil
	}
	err := o.retry(func(context.Context) error { return o.begin() })
	o.early = err != nil
	return err
}

// retry calls do until it succeeds, fails for good, or the session is released.
func (o *owned) retry(do func(ctx context.Context) error) error {
	return o.store.conn.retry(o.failure, do)
}

// renew renews the lease, unless another server has taken over the session: that one may lose
// its lease while the server is away.
func (o *owned) renew() {
	if errors.Is(o.failure(), journal.ErrFenced) {
		return
	}
	expired, err := o.lease.renew()
	if expired {
		err = o.retake()
	}
	if err != nil {
		o.fail(err)
	}
}

// retake takes the expired lease again. It returns [journal.ErrFenced] if another server had it
// meanwhile, which may have lost it too: the lease would end the session there.
func (o *owned) retake() error {
	last, err := o.store.archive.find(o.header.ID)
	if err == nil {
		if by := writerOf(last); by.Server != "" && by.Server != o.store.id {
			return fmt.Errorf("%w: %s", journal.ErrFenced, by.Owner)
		}
	}
	if err == nil || errors.Is(err, journal.ErrNotFound) { // otherwise, it is tried again next time
		o.lease.retake()
	}
	return nil
}

// failure returns why the session can no longer be saved, or nil.
func (o *owned) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
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

// wait waits until the server has everything that was appended before the call. If the
// server is known to be away, it returns [journal.ErrLate] at once.
func (o *owned) wait(limit time.Duration) error {
	if o.sending() && o.store.conn.isAway() {
		return journal.ErrLate
	}
	sent := o.sent()
	if sent == nil {
		return o.failure()
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case <-sent:
		return o.failure()
	case <-late.C:
		o.store.conn.noteAway()
		return journal.ErrLate
	}
}

// Retitle implements [journal.Journal]. The title is sent after all appended records.
func (o *owned) Retitle(text string, byUser bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed:
		return os.ErrClosed
	case o.failed != nil:
		return o.failed
	}
	o.backlog.rename(title{journal.ShortTitle(text), byUser})
	o.send()
	return nil
}

// Close implements [journal.Journal]. A session without records leaves no trace. If the
// server is away, the session is released once its end is saved.
func (o *owned) Close() error {
	o.mu.Lock()
	if o.closed {
		o.mu.Unlock()
		return nil
	}
	o.closed = true
	o.released = make(chan struct{})
	o.mu.Unlock()
	err := o.wait(closeTime)
	if !errors.Is(err, journal.ErrLate) {
		return errors.Join(err, o.release())
	}
	o.store.conn.log.Warn("the end of a session is waiting for the store", "session", o.header.ID)
	o.store.conn.work.Go(func() {
		if err := errors.Join(o.waitLong(), o.release()); err != nil {
			o.store.conn.log.Warn("the end of a session was not saved", "session", o.header.ID, "error", err)
		}
	})
	return nil
}

// waitLong waits until the server has everything, or never will.
func (o *owned) waitLong() error {
	if sent := o.sent(); sent != nil {
		<-sent
	}
	return o.failure()
}

// sending reports whether the server doesn't have everything yet, but will.
func (o *owned) sending() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sends && o.failed == nil
}

// sent returns a channel that is closed once the server has everything that was appended
// before the call, or never will. It returns nil if that is the case already.
func (o *owned) sent() <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.sends || o.failed != nil {
		return nil
	}
	return o.backlog.mark()
}

// release releases the session.
func (o *owned) release() (err error) {
	defer close(o.released)
	o.mu.Lock()
	o.failLocked(os.ErrClosed)
	o.mu.Unlock()
	o.store.sessions.remove(o)
	o.lease.end()
	if unreachable := o.store.conn.reachable(); unreachable != nil {
		return unreachable // the lease expires
	}
	o.questions.forget()
	return o.lease.release()
}

// fail stops saving the session.
func (o *owned) fail(err error) {
	o.mu.Lock()
	first := o.failed == nil
	o.failLocked(err)
	o.mu.Unlock()
	if first && errors.Is(err, journal.ErrFenced) {
		o.store.conn.log.Warn("another server took over a session", "session", o.header.ID, "error", err)
		o.store.lose(o.header.ID, err)
	}
}

func (o *owned) failLocked(err error) {
	if o.failed != nil {
		return
	}
	o.failed = err
	o.backlog.drop()
}
