package hub

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// batchBytes is how much is written to a front end at once.
	batchBytes = 64 << 10
	// maxRequests bounds the requests of a front end that are not answered: a prompt in
	// each session that there can be, and as many others.
	maxRequests = 2 * maxSessions
	// maxQueue bounds what waits for a front end beside the changes of its sessions, in
	// bytes: it has not read the histories of several long sessions.
	maxQueue = 4 * maxReplay
)

// A front is a front end: an editor, a terminal, a page.
type front struct {
	hub    *Hub
	id     string
	from   consent.FrontEnd // what the server knows of it
	stream *protocol.Stream
	hangUp func() error // ends a read that is in progress; nil where nothing does
	wake   sync.Cond    // there is something to send, or the front end leaves

	// What follows is guarded by the hub's mutex.
	name     string
	shows    shows
	isPeer   bool // it is the hub of another server
	signs    bool // it says who of its own has answered
	greeted  bool
	left     bool
	requests map[string]*request // by their ids as JSON
	attached map[string]*attachment
	observes map[string]bool // the sessions that it only watches
	asks     map[string]*ask // those that it was asked, by the ids it knows
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

// Serve is [Hub.ServeFrom] for a front end of which nothing is known.
func (h *Hub) Serve(ctx context.Context, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	return h.ServeFrom(ctx, consent.FrontEnd{}, in, out, closeIn)
}

// ServePeer is [Hub.Serve] for the hub of another server, which is one front end for
// all of its own, and says which of them has answered.
func (h *Hub) ServePeer(ctx context.Context, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	return h.serve(ctx, &front{isPeer: true}, in, out, closeIn)
}

// ServeHost is [Hub.Serve] for a host of another protocol in this program, which is
// one front end for all of its clients, and says which of them has answered.
func (h *Hub) ServeHost(ctx context.Context, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	return h.serve(ctx, &front{signs: true}, in, out, closeIn)
}

// ServeFrom serves a front end on in and out until its input ends, its output
// breaks, or ctx ends. from is what the server knows of it: the agent's side is told
// that with each permission that it gives. closeIn ends a read that is in progress;
// it may be nil.
func (h *Hub) ServeFrom(ctx context.Context, from consent.FrontEnd, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	return h.serve(ctx, &front{from: from}, in, out, closeIn)
}

func (h *Hub) serve(ctx context.Context, f *front, in io.Reader, out io.WriteCloser, closeIn func() error) error {
	f.hub, f.hangUp = h, closeIn
	f.requests, f.attached, f.asks = make(map[string]*request), make(map[string]*attachment), make(map[string]*ask)
	f.wake.L = &h.mu
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return ErrClosed
	}
	f.stream = protocol.NewStream(in, out, closeIn, h.log)
	f.stream.BeforeWrite = h.keep
	h.lastFront++
	f.id = fmt.Sprintf("client-%d", h.lastFront)
	f.name = f.id
	h.fronts[f] = true
	h.work.Add(1)
	h.mu.Unlock()
	defer h.work.Done()

	defer context.AfterFunc(ctx, f.leave)()
	var pump sync.WaitGroup
	pump.Go(f.pump)
	err := f.stream.Messages(f.take)
	f.leave()
	pump.Wait()
	closeAll(h, f.stream)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("reading a front end: %w", err)
	}
	return nil
}

// leave takes the front end out of everything. What it has begun goes on.
func (f *front) leave() {
	h := f.hub
	h.mu.Lock()
	if f.left {
		h.mu.Unlock()
		return
	}
	f.left = true
	delete(h.fronts, f)
	for _, a := range f.inOrder() {
		a.leaveAloud()
	}
	for id, k := range f.asks { // those of no session: nobody else can answer them
		k.forget(f, id)
		k.fail(protocol.CodeInternal, "the front end has gone")
	}
	for _, q := range f.requests {
		q.front = nil
	}
	f.wake.Signal()
	h.mu.Unlock()
	f.stream.End() // what is left to say waits for nobody
	if f.hangUp != nil {
		if err := f.hangUp(); err != nil {
			h.log.Debug("closing the input of a front end", "error", err)
		}
	}
}

// put queues a message. The lock is held.
func (f *front) put(m message) {
	if f.left {
		return
	}
	f.queue = append(f.queue, m)
	f.wake.Signal()
	if f.size += len(m.line); f.size > maxQueue && len(f.queue) > 1 {
		f.hub.log.Warn("a front end does not read, and is disconnected", "client", f.id)
		f.queue, f.size = nil, 0
		f.hub.work.Go(f.leave)
	}
}

// pump writes to the front end what there is, at the pace at which it reads.
func (f *front) pump() {
	batch := make([]byte, 0, batchBytes)
	for {
		var more bool
		batch, more = f.next(batch[:0])
		if len(batch) > 0 {
			if err := f.stream.AppendUnless(nil, batch[:len(batch)-1]); err != nil {
				f.hub.log.Debug("a front end does not read any more", "client", f.id, "error", err)
				f.leave()
				closeAll(f.hub, f.stream)
				return
			}
		}
		if !more {
			return
		}
		f.stream.Flush()
		if cap(batch) > 4*batchBytes {
			batch = make([]byte, 0, batchBytes)
		}
	}
}

// next waits until there is something to send and appends lines to batch. more is
// false after the last of them.
func (f *front) next(batch []byte) (lines []byte, more bool) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(f.queue) == 0 && len(f.dirty) == 0 && !f.left {
		f.wake.Wait()
	}
	for len(batch) < batchBytes {
		if len(f.queue) > 0 {
			m := &f.queue[0]
			if m.session != nil && m.session.sent < m.after {
				var done bool
				if batch, done = m.session.appendChanges(batch, m.after); !done {
					break
				}
			}
			if len(m.line) > 0 && (m.gone == nil || !m.gone()) {
				batch = append(append(batch, m.line...), '\n')
			}
			f.size -= len(m.line)
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
		var done bool
		if batch, done = a.appendChanges(batch, a.session.history.last); !done {
			break
		}
		a.dirty = false
		if f.dirty = f.dirty[1:]; len(f.dirty) == 0 {
			f.dirty = nil
		}
	}
	return batch, !f.left || len(f.queue)+len(f.dirty) > 0
}

// appendChanges appends the lines of changes up to a number. done is false if the
// batch is full before. The lock is held.
func (a *attachment) appendChanges(batch []byte, upTo int64) (lines []byte, done bool) {
	for _, c := range a.session.history.after(a.sent) {
		if c.seq > upTo {
			break
		}
		if len(batch) >= batchBytes {
			return batch, false
		}
		a.sent = c.seq
		if a.gets(&c) {
			batch = append(c.appendTo(batch, a.front.shows.times && (c.replayed || c.seq <= a.since)), '\n')
		}
	}
	a.sent = max(a.sent, upTo)
	return batch, true
}

// gets reports whether a change is for the front end.
func (a *attachment) gets(c *change) bool {
	return c.author != a && (!c.past || c.seq <= a.since) && (a.aware || a.front.shows.turns || !c.aware)
}
