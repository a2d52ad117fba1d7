package hub

import (
	"slices"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

const (
	// batchBytes bounds what is shown to a client at once, in bytes.
	batchBytes = 64 << 10
	// maxQueue bounds a client's queued messages apart from session changes, in bytes.
	// A client that exceeds it has left the histories of several long sessions unread.
	maxQueue = 4 * maxHistory
)

// An outbox holds what a client was not shown yet: messages in order, and the sessions
// that have changes for it. One goroutine shows them at the client's reading pace. The
// hub's mutex guards it.
type outbox struct {
	view  core.View
	wake  sync.Cond     // signals new contents, or that the outbox is closed
	shown chan struct{} // closed when nothing more will be shown

	queue   []message
	size    int           // of queue, in bytes
	dirty   []*attachment // those whose session has changes
	reading []*shelf      // that the batch in progress may read
	closed  bool
}

func newOutbox(v core.View, mu *sync.Mutex) *outbox {
	return &outbox{view: v, wake: sync.Cond{L: mu}, shown: make(chan struct{})}
}

// enqueue queues a message. If the client doesn't read, it drops the queue and returns
// false. The caller holds the lock.
func (o *outbox) enqueue(m message) bool {
	o.queue = append(o.queue, m)
	if m.session != nil {
		m.session.shelf().retain()
	}
	o.wake.Signal()
	if o.size += m.size; o.size > maxQueue && len(o.queue) > 1 {
		for _, m := range o.queue {
			if m.session != nil {
				m.session.shelf().release()
			}
		}
		o.queue, o.size = nil, 0
		return false
	}
	return true
}

// willRead keeps a shelf until the batch in progress has been shown. The caller holds the
// lock.
func (o *outbox) willRead(s *shelf) {
	s.retain()
	o.reading = append(o.reading, s)
}

// finish ends the batch in progress. The caller holds the lock.
func (o *outbox) finish() {
	for _, s := range o.reading {
		s.release()
	}
	o.reading = nil
}

// markDirty records that an attachment's session has changes. The caller holds the lock.
func (o *outbox) markDirty(a *attachment) {
	if !a.dirty {
		a.dirty = true
		o.dirty = append(o.dirty, a)
		o.wake.Signal()
	}
}

// drop removes an attachment from the list of those with changes. The caller holds the
// lock.
func (o *outbox) drop(a *attachment) {
	o.dirty = slices.DeleteFunc(o.dirty, func(b *attachment) bool { return b == a })
}

// close ends pump after it has shown what is left. The caller holds the lock.
func (o *outbox) close() {
	o.closed = true
	o.wake.Signal()
}

// pump shows queued messages and changes to the client until the outbox is closed.
func (o *outbox) pump() {
	defer close(o.shown)
	for {
		// Wait for room here, because answers don't wait in a view. What is not shown
		// yet stays in the outbox, which is bounded.
		o.view.AwaitRoom()
		show, more := o.next()
		for _, do := range show {
			do(o.view)
		}
		if !more {
			o.wake.L.Lock()
			defer o.wake.L.Unlock()
			o.finish()
			return
		}
		o.view.Flush()
	}
}

// next waits until there is something to show. more is false once the outbox is closed
// and empty.
func (o *outbox) next() (show []func(core.View), more bool) {
	o.wake.L.Lock()
	defer o.wake.L.Unlock()
	o.finish()
	for len(o.queue) == 0 && len(o.dirty) == 0 && !o.closed {
		o.wake.Wait()
	}
	b := batch{}
	for b.size < batchBytes {
		if len(o.queue) > 0 {
			m := &o.queue[0]
			if m.waits() && !m.session.show(&b, m.after) {
				break
			}
			if m.do != nil && (m.obsolete == nil || !m.obsolete()) {
				b.add(m.do, m.size)
			}
			if m.session != nil { // the batch may read what the message retained
				o.reading = append(o.reading, m.session.shelf())
			}
			o.size -= m.size
			o.queue[0] = message{}
			if o.queue = o.queue[1:]; len(o.queue) == 0 {
				o.queue = nil
			}
			continue
		}
		if len(o.dirty) == 0 {
			break
		}
		a := o.dirty[0]
		if !a.show(&b, a.session.history.last) {
			break
		}
		a.dirty = false
		if o.dirty = o.dirty[1:]; len(o.dirty) == 0 {
			o.dirty = nil
		}
	}
	return b.show, !o.closed || len(o.queue)+len(o.dirty) > 0
}

// A batch holds what is shown to a client at once.
type batch struct {
	show []func(core.View)
	size int
}

func (b *batch) add(do func(core.View), size int) {
	b.show = append(b.show, do)
	b.size += size
}
