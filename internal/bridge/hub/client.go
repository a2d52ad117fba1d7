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
	From consent.Client // what the server knows about the client
	// Peer is set for the hub of another server. It is one client on behalf of all its
	// own clients, and its answers say which of them answered.
	Peer bool
	// Host is set for a host of another protocol in this process. It is one client on
	// behalf of all its own clients, and says which of them answered.
	Host bool
	// HangUp closes the connection. It is called at most once, and must not block.
	HangUp func()
	// Away reports whether the client lost its connection and may come back. It must not
	// block. If nil, the client is never away.
	Away func() bool
}

func (c *Client) isAway() bool { return c.Away != nil && c.Away() }

// A client is a connected editor, terminal or web page. It is the source
// for its view.
type client struct {
	Client

	hub *Hub
	id  string
	out *outbox

	// The hub's mutex guards the following fields.
	name        string
	shows       shows
	initialized bool       // its initialize response is queued, and is no error
	introduced  *core.Call // a host's "initialize", once it was answered
	left        bool
	hungUp      bool // it is about to leave, and neither receives nor sends anything more
	requests    map[*request]bool
	attached    map[string]*attachment
	observes    map[string]bool // the sessions that it only observes
	pending     map[*core.Request]*pendingRequest
}

// Connect returns a source of the hub's sessions for a client's view. Stopping the
// source does not stop what the client has started.
func (h *Hub) Connect(v core.View, c Client) core.Source {
	cl := &client{
		Client: c, hub: h, out: newOutbox(v, &h.mu),
		requests: make(map[*request]bool), attached: make(map[string]*attachment), pending: make(map[*core.Request]*pendingRequest),
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		cl.left = true
		close(cl.out.shown)
		cl.hangUp()
		return cl
	}
	h.last.client++
	cl.id = fmt.Sprintf("client-%d", h.last.client)
	cl.name = cl.id
	h.clients = append(h.clients, cl)
	h.work.Go(cl.out.pump)
	return cl
}

// hangUp closes the connection. The caller holds the lock.
func (cl *client) hangUp() {
	if !cl.hungUp && cl.HangUp != nil {
		cl.HangUp()
	}
	cl.hungUp = true
}

// Call implements [core.Source].
func (cl *client) Call(c *core.Call) {
	if err := cl.accept(c); err != nil {
		c.Fail(err)
	}
}

func (cl *client) accept(c *core.Call) error {
	h := cl.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case cl.left || cl.hungUp || h.closed:
		return errGoing
	case len(cl.requests) >= maxRequests:
		return protocol.Errorf(protocol.CodeInvalidRequest, "%d requests are pending", maxRequests)
	}
	q := &request{client: cl, call: c, method: c.Method, params: c.Params}
	cl.requests[q] = true
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
func (cl *client) Notify(method string, params []byte) {
	h := cl.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if !cl.left && !cl.hungUp && !h.closed {
		cl.notified(method, bytes.Clone(params))
	}
}

// notified handles a client's notification. The caller holds the lock.
func (cl *client) notified(method string, params []byte) {
	if cl.From.Watches {
		return
	}
	u := cl.hub.upstream
	if id := rawmsg.MemberText(params, "sessionId"); id != "" {
		a := cl.attached[id]
		if a == nil || a.observer {
			cl.hub.log.Warn("dropped a notification that the client may not send", "client", cl.id, "method", method, "session", id)
			return
		}
		u = a.session.upstream()
	}
	if u != nil {
		u.notify(method, params)
	}
}

// Keep implements [core.Source].
func (cl *client) Keep() { cl.hub.keep() }

// Stop implements [core.Source]. The open calls continue, but their answers are lost.
func (cl *client) Stop(open []*core.Call) {
	cl.leave()
	for _, c := range open {
		c.Fail(errGoing)
	}
}

// Close implements [core.Source].
func (cl *client) Close(ctx context.Context) {
	select {
	case <-cl.out.shown:
	case <-ctx.Done():
	}
}

// leave detaches the client from all sessions. What it has started continues.
func (cl *client) leave() {
	h := cl.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if cl.left {
		return
	}
	cl.left = true
	h.clients = slices.DeleteFunc(slices.Clone(h.clients), func(other *client) bool { return other == cl })
	for _, id := range slices.Sorted(maps.Keys(cl.attached)) {
		cl.attached[id].leaveAloud()
	}
	for a, k := range cl.inOrder() { // those without a session
		if k.forget(cl, a); len(k.asked) == 0 { // no client that connects later is asked
			k.fail(protocol.CodeInternal, "the client disconnected")
		}
	}
	for q := range cl.requests {
		q.client = nil
	}
	cl.out.close()
	cl.hangUp()
}

// enqueue queues a message. It disconnects a client that doesn't read. The caller holds the
// lock.
func (cl *client) enqueue(m message) {
	if cl.left || cl.hungUp || cl.out.enqueue(m) {
		return
	}
	cl.hub.log.Warn("disconnected a client that does not read", "client", cl.id)
	cl.hangUp()
}
