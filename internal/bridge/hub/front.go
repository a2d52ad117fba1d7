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

// maxRequests bounds a client's unanswered requests: a prompt in each possible session,
// and as many other requests.
const maxRequests = 2 * maxSessions

// A Client identifies a connected client.
type Client struct {
	From consent.FrontEnd // what the server knows about the client
	// Peer is set for the hub of another server. It is one client on behalf of all its
	// own clients, and its answers say which of them answered.
	Peer bool
	// Host is set for a host of another protocol in this process. It is one client on
	// behalf of all its own clients, and says which of them answered.
	Host bool
	// HangUp closes the connection. It is called at most once, and must not block.
	HangUp func()
}

// A front is a connected client: an editor, a terminal or a web page. It is the source
// for its view.
type front struct {
	Client

	hub *Hub
	id  string
	out *outbox

	// The hub's mutex guards the following fields.
	name     string
	shows    shows
	greeted  bool
	left     bool
	hungUp   bool // it is about to leave, and neither receives nor sends anything more
	requests map[*request]bool
	attached map[string]*attachment
	observes map[string]bool // the sessions that it only observes
	asks     map[*core.Ask]*ask
}

// Connect returns a source of the hub's sessions for a client's view. Stopping the
// source does not stop what the client has started.
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

// hangUp closes the connection. The caller holds the lock.
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

// notified handles a client's notification. The caller holds the lock.
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

// Stop implements [core.Source]. The open calls continue, but their answers are lost.
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

// leave detaches the client from all sessions. What it has started continues.
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
	for a, k := range f.asks { // those without a session: nobody else can answer them
		k.forget(f, a)
		k.fail(protocol.CodeInternal, "the front end has gone")
	}
	for q := range f.requests {
		q.front = nil
	}
	f.out.close()
	f.hangUp()
}

// put queues a message. It disconnects a client that doesn't read. The caller holds the
// lock.
func (f *front) put(m message) {
	if f.left || f.hungUp || f.out.put(m) {
		return
	}
	f.hub.log.Warn("a front end does not read, and is disconnected", "client", f.id)
	f.hangUp()
}
