package hub

import (
	"slices"
	"sync"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

const (
	// batchBytes is how much is shown to a front end at once, in bytes.
	batchBytes = 64 << 10
	// maxQueue bounds the queued messages of a front end beside the changes of its
	// sessions, in bytes: it has not read the histories of several long sessions.
	maxQueue = 4 * maxHistory
)

// An outbox is what a front end has not been shown yet: messages in their order, and
// the sessions that have changes for it. One goroutine shows it, at the pace at which
// the front end reads. The hub's mutex guards it.
type outbox struct {
	view  core.View
	wake  sync.Cond     // there is something to show, or the outbox is closed
	shown chan struct{} // closed when nothing more is shown

	queue  []message
	size   int           // of queue, in bytes
	dirty  []*attachment // those whose session has changed
	closed bool
}

func newOutbox(v core.View, mu *sync.Mutex) *outbox {
	return &outbox{view: v, wake: sync.Cond{L: mu}, shown: make(chan struct{})}
}

// put queues a message. If the front end doesn't read, it drops the queue and returns
// false. The lock is held.
func (o *outbox) put(m message) bool {
	o.queue = append(o.queue, m)
	o.wake.Signal()
	if o.size += m.size; o.size > maxQueue && len(o.queue) > 1 {
		o.queue, o.size = nil, 0
		return false
	}
	return true
}

// stir notes that the session of an attachment has changes. The lock is held.
func (o *outbox) stir(a *attachment) {
	if !a.dirty {
		a.dirty = true
		o.dirty = append(o.dirty, a)
		o.wake.Signal()
	}
}

// drop forgets the changes for an attachment. The lock is held.
func (o *outbox) drop(a *attachment) {
	o.dirty = slices.DeleteFunc(o.dirty, func(b *attachment) bool { return b == a })
}

// close ends pump after it has shown what is left. The lock is held.
func (o *outbox) close() {
	o.closed = true
	o.wake.Signal()
}

// pump shows the front end what there is until the outbox is closed.
func (o *outbox) pump() {
	defer close(o.shown)
	for {
		// Answers don't wait for room in a view: what is not shown yet waits here, where
		// it is bounded.
		o.view.AwaitRoom()
		show, more := o.next()
		for _, do := range show {
			do(o.view)
		}
		if !more {
			return
		}
		o.view.Flush()
	}
}

// next waits until there is something to show. more is false after the last of it.
func (o *outbox) next() (show []func(core.View), more bool) {
	o.wake.L.Lock()
	defer o.wake.L.Unlock()
	for len(o.queue) == 0 && len(o.dirty) == 0 && !o.closed {
		o.wake.Wait()
	}
	b := batch{}
	for b.size < batchBytes {
		if len(o.queue) > 0 {
			m := &o.queue[0]
			if m.session != nil && m.session.sent < m.after && !m.session.show(&b, m.after) {
				break
			}
			if m.do != nil && (m.gone == nil || !m.gone()) {
				b.add(m.do, m.size)
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

// A batch is what is shown to a front end at once.
type batch struct {
	show []func(core.View)
	size int
}

func (b *batch) add(do func(core.View), size int) {
	b.show = append(b.show, do)
	b.size += size
}
