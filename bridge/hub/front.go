package hub

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// batchBytes is how much is shown to a front end at once, in bytes.
	batchBytes = 64 << 10
	// maxRequests bounds the requests of a front end that are not answered: a prompt in
	// each session that there can be, and as many others.
	maxRequests = 2 * maxSessions
	// maxQueue bounds what waits for a front end beside the changes of its sessions, in
	// bytes: it has not read the histories of several long sessions.
	maxQueue = 4 * maxReplay
)

// A Client is who a front end is.
type Client struct {
	From consent.FrontEnd // what the server knows of it
	// Peer says that it is the hub of another server, which is one front end for all of
	// its own, and says in its answers which of them has given them.
	Peer bool
	// Host says that it is a host of another protocol in this program, which is one
	// front end for all of its clients, and says which of them has answered.
	Host bool
	// HangUp ends the connection. It is called at most once, and must not block.
	HangUp func()
}

// A front is a front end: an editor, a terminal, a page. It is the source of its view.
type front struct {
	Client

	hub    *Hub
	view   core.View
	id     string
	wake   sync.Cond     // there is something to show, or the front end leaves
	pumped chan struct{} // nothing more is shown

	// What follows is guarded by the hub's mutex.
	name     string
	shows    shows
	greeted  bool
	left     bool
	hungUp   bool // it will leave soon, and is neither told nor does anything more
	requests map[*request]bool
	attached map[string]*attachment
	observes map[string]bool // the sessions that it only watches
	asks     map[*core.Ask]*ask
	queue    []message
	size     int           // of queue, in bytes
	dirty    []*attachment // those whose session has changed
}

// An attachment is the place of a front end in the history of a session.
type attachment struct {
	front    *front
	session  *session
	since    int64 // number of the last change before it was attached
	sent     int64 // number of the last change that it got
	dirty    bool
	aware    bool // it has used session/attach
	observer bool
}

// Connect makes the source of the hub's sessions for the view of a front end. What the
// front end has begun goes on when the source is stopped.
func (h *Hub) Connect(v core.View, c Client) core.Source {
	f := &front{
		Client: c, hub: h, view: v, pumped: make(chan struct{}),
		requests: make(map[*request]bool), attached: make(map[string]*attachment), asks: make(map[*core.Ask]*ask),
	}
	f.wake.L = &h.mu
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		f.left = true
		close(f.pumped)
		f.hangUp()
		return f
	}
	h.lastFront++
	f.id = fmt.Sprintf("client-%d", h.lastFront)
	f.name = f.id
	h.fronts[f] = true
	h.work.Go(f.pump)
	return f
}

// hangUp ends the connection. The lock is held.
func (f *front) hangUp() {
	if !f.hungUp && f.HangUp != nil {
		f.HangUp()
	}
	f.hungUp = true
}

// Call implements [core.Source].
func (f *front) Call(c *core.Call) {
	if err := f.take(c); err != nil {
		c.Fail(err)
	}
}

func (f *front) take(c *core.Call) error {
	f.hub.mu.Lock()
	defer f.hub.mu.Unlock()
	if err := f.refusal(); err != nil {
		return err
	}
	f.request(c)
	return nil
}

// Notify implements [core.Source].
func (f *front) Notify(method string, params []byte) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if !f.left && !f.hungUp && !h.closed {
		f.notified(method, bytes.Clone(params))
	}
}

// Keep implements [core.Source].
func (f *front) Keep() { f.hub.keep() }

// Stop implements [core.Source]. The open calls go on, and their answers are lost.
func (f *front) Stop(open []*core.Call) {
	f.leave()
	for _, c := range open {
		c.Fail(errGoing)
	}
}

// Close implements [core.Source].
func (f *front) Close(ctx context.Context) {
	select {
	case <-f.pumped:
	case <-ctx.Done():
	}
}

// leave takes the front end out of everything. What it has begun goes on.
func (f *front) leave() {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if f.left {
		return
	}
	f.left = true
	delete(h.fronts, f)
	for _, a := range f.inOrder() {
		a.leaveAloud()
	}
	for a, k := range f.asks { // those of no session: nobody else can answer them
		k.forget(f, a)
		k.fail(protocol.CodeInternal, "the front end has gone")
	}
	for q := range f.requests {
		q.front = nil
	}
	f.wake.Signal()
	f.hangUp()
}

// put queues a message. The lock is held.
func (f *front) put(m message) {
	if f.left || f.hungUp {
		return
	}
	f.queue = append(f.queue, m)
	f.wake.Signal()
	if f.size += m.size; f.size > maxQueue && len(f.queue) > 1 {
		f.hub.log.Warn("a front end does not read, and is disconnected", "client", f.id)
		f.queue, f.size = nil, 0
		f.hangUp()
	}
}

// pump shows the front end what there is, at the pace at which it reads.
func (f *front) pump() {
	defer close(f.pumped)
	for {
		// Answers wait for no room in a view: what is not shown yet waits here, where it
		// is bounded.
		f.view.AwaitRoom()
		show, more := f.next()
		for _, do := range show {
			do(f.view)
		}
		if !more {
			return
		}
		f.view.Flush()
	}
}

// next waits until there is something to show. more is false after the last of it.
func (f *front) next() (show []func(core.View), more bool) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(f.queue) == 0 && len(f.dirty) == 0 && !f.left {
		f.wake.Wait()
	}
	b := batch{}
	for b.size < batchBytes {
		if len(f.queue) > 0 {
			m := &f.queue[0]
			if m.session != nil && m.session.sent < m.after && !m.session.show(&b, m.after) {
				break
			}
			if m.do != nil && (m.gone == nil || !m.gone()) {
				b.add(m.do, m.size)
			}
			f.size -= m.size
			f.queue[0] = message{}
			if f.queue = f.queue[1:]; len(f.queue) == 0 {
				f.queue = nil
			}
			continue
		}
		if len(f.dirty) == 0 {
			break
		}
		a := f.dirty[0]
		if !a.show(&b, a.session.history.last) {
			break
		}
		a.dirty = false
		if f.dirty = f.dirty[1:]; len(f.dirty) == 0 {
			f.dirty = nil
		}
	}
	return b.show, !f.left || len(f.queue)+len(f.dirty) > 0
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

// show adds the changes up to a number. It returns false if the batch is full before.
// The lock is held.
func (a *attachment) show(b *batch, upTo int64) bool {
	for _, c := range a.session.history.after(a.sent) {
		if c.seq > upTo {
			break
		}
		if b.size >= batchBytes {
			return false
		}
		a.sent = c.seq
		if a.gets(&c) {
			n := c.notification(a.session.id, a.front.shows.times && (c.replayed || c.seq <= a.since))
			b.add(func(v core.View) { _ = v.Relay(n) }, len(n.Line)) // a view that fails leaves
		}
	}
	a.sent = max(a.sent, upTo)
	return true
}

// gets reports whether a change is for the front end.
func (a *attachment) gets(c *change) bool {
	return c.author != a && (!c.past || c.seq <= a.since) && (a.aware || a.front.shows.turns || !c.aware)
}
