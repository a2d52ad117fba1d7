package hub

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// maxRequests bounds the unanswered requests of a front end: a prompt in each session
// that there can be, and as many others.
const maxRequests = 2 * maxSessions

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

	hub *Hub
	id  string
	out *outbox

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
}

// Connect makes the source of the hub's sessions for the view of a front end. What the
// front end has begun goes on when the source is stopped.
func (h *Hub) Connect(v core.View, c Client) core.Source {
	f := &front{
		Client: c, hub: h, out: newOutbox(v, &h.mu),
		requests: make(map[*request]bool), attached: make(map[string]*attachment), asks: make(map[*core.Ask]*ask),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		f.left = true
		close(f.out.shown)
		f.hangUp()
		return f
	}
	h.lastFront++
	f.id = fmt.Sprintf("client-%d", h.lastFront)
	f.name = f.id
	h.fronts[f] = true
	h.work.Go(f.out.pump)
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
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case f.left || f.hungUp || h.closed:
		return errGoing
	case len(f.requests) >= maxRequests:
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d requests are not answered yet", maxRequests)
	}
	q := &request{front: f, call: c, method: c.Method, params: c.Params}
	f.requests[q] = true
	c.OnCancel(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		q.cancel()
	})
	q.begin()
	return nil
}

var errGoing = protocol.Errorf(protocol.CodeInternal, "the connection is ending")

// Notify implements [core.Source].
func (f *front) Notify(method string, params []byte) {
	h := f.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if !f.left && !f.hungUp && !h.closed {
		f.notified(method, bytes.Clone(params))
	}
}

// notified takes a notification of the front end. The lock is held.
func (f *front) notified(method string, params []byte) {
	if f.From.Watches {
		return
	}
	u := f.hub.upstream
	if id := rawmsg.MemberText(params, "sessionId"); id != "" {
		a := f.attached[id]
		if a == nil || a.observer {
			f.hub.log.Warn("dropped a notification of a front end that may not send it", "client", f.id, "method", method, "session", id)
			return
		}
		u = a.session.upstream()
	}
	if u != nil {
		u.notify(method, params)
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
	case <-f.out.shown:
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
	for _, id := range slices.Sorted(maps.Keys(f.attached)) {
		f.attached[id].leaveAloud()
	}
	for a, k := range f.asks { // those of no session: nobody else can answer them
		k.forget(f, a)
		k.fail(protocol.CodeInternal, "the front end has gone")
	}
	for q := range f.requests {
		q.front = nil
	}
	f.out.close()
	f.hangUp()
}

// put queues a message, and disconnects a front end that doesn't read. The lock is held.
func (f *front) put(m message) {
	if f.left || f.hungUp || f.out.put(m) {
		return
	}
	f.hub.log.Warn("a front end does not read, and is disconnected", "client", f.id)
	f.hangUp()
}
