package hub

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// endBudget bounds the shutdown of a source.
const endBudget = 3 * time.Second

// An Opener creates the source of an agent's sessions for a view.
type Opener func(ctx context.Context, v core.View) (core.Source, error)

// An upstream is the hub's view of a source of sessions: the agent, or another server.
type upstream struct {
	hub    *Hub
	peer   string // the server that has the sessions; "" for this one
	work   *core.Mailbox
	source atomic.Pointer[core.Source] // nil until it is open
	ended  chan struct{}               // closed when the source has ended

	// The hub's mutex guards the following fields.
	pending      map[*core.Call]*call
	calls        int                    // how many were made
	initialize   []byte                 // the initialize response; nil until it arrives
	initializing bool                   // the initialize response is awaited
	loads        bool                   // the agent supports session/load
	waiting      []func(failure []byte) // called when the initialize response arrives
	sessionless  []*pendingRequest      // its unanswered requests without a session
}

// A call is an unanswered request of the hub. done is called with the hub's mutex held,
// and with exactly one of result and failure. So is accepted, before that, if the source
// carries out the request; it may be nil.
type call struct {
	order int     // the number of calls that were made before
	from  *client // the client it was made for; nil if no client waits for the answer
	done  func(result, failure []byte)

	accepted func()
	prompt   *attachment // what a prompt was sent with; nil for other calls
	prompted int64       // the number of the change that shows the prompt; 0 if nothing does yet
}

// connect opens the agent's source unless it is open. The caller holds the lock.
func (h *Hub) connect() *upstream {
	if h.upstream == nil {
		h.upstream = h.begin("", h.cfg.Open)
	}
	return h.upstream
}

// begin opens a source. The caller holds the lock.
func (h *Hub) begin(peer string, open Opener) *upstream {
	u := &upstream{hub: h, peer: peer, work: core.NewMailbox(), pending: make(map[*core.Call]*call), ended: make(chan struct{})}
	h.work.Go(u.work.Run)
	u.work.Post(func() {
		source, err := open(h.ctx, u)
		if err != nil {
			h.log.Warn("an agent is unreachable", "server", peer, "error", err)
			go u.end()
			return
		}
		u.source.Store(&source)
	})
	u.introduce()
	return u
}

// end stops the source, which answers all open calls, and returns when it has ended.
func (u *upstream) end() {
	u.work.Close(func() {
		defer close(u.ended)
		if source := u.source.Load(); source != nil {
			(*source).Stop(u.open())
			ctx, stop := context.WithTimeout(context.Background(), endBudget)
			defer stop()
			(*source).Close(ctx)
		}
		u.lose()
	})
	<-u.ended
}

// open returns the unanswered calls.
func (u *upstream) open() []*core.Call {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	return u.inOrder()
}

// inOrder returns the unanswered calls in the order in which they were made. The caller holds
// the lock.
func (u *upstream) inOrder() []*core.Call {
	return slices.SortedFunc(maps.Keys(u.pending), func(a, b *core.Call) int { return u.pending[a].order - u.pending[b].order })
}

// call sends a request to the source. The caller holds the lock.
func (u *upstream) call(from *client, method string, params []byte, done func(result, failure []byte)) *core.Call {
	c := core.NewCall(method, params, u.replied)
	c.Replay = method == v1.MethodSessionFork
	c.OnAccept(func() {
		u.hub.mu.Lock()
		defer u.hub.mu.Unlock()
		u.pending[c].accept()
	})
	u.pending[c] = &call{order: u.calls, from: from, done: done}
	u.calls++
	u.post(func(source core.Source) { source.Call(c) })
	return c
}

// accept notes that the source carries out the request. c is nil if it was answered.
func (c *call) accept() {
	if c == nil || c.accepted == nil {
		return
	}
	accepted := c.accepted
	c.accepted = nil
	accepted()
}

// post calls do with the source, after everything posted before, and without the lock.
func (u *upstream) post(do func(core.Source)) {
	u.work.Post(func() {
		if source := u.source.Load(); source != nil {
			do(*source)
		}
	})
}

// notify passes on a notification. The caller holds the lock.
func (u *upstream) notify(method string, params []byte) {
	u.post(func(source core.Source) { source.Notify(method, params) })
}

// replied handles the answer to a call.
func (u *upstream) replied(c *core.Call, result []byte, err error) {
	u.hub.mu.Lock()
	defer u.hub.mu.Unlock()
	waiting := u.pending[c]
	delete(u.pending, c)
	if closed, ok := errors.AsType[*core.ClosedError](err); ok {
		if s := u.hub.sessions[rawmsg.MemberText(c.Params, "sessionId")]; s != nil && s.open {
			s.end(closed.Err)
		}
	}
	switch {
	case waiting == nil:
	case err != nil:
		waiting.done(nil, core.Wire(err))
	default:
		waiting.accept()
		waiting.done(bytes.Clone(result), nil)
	}
}

// lose fails all requests after the source has ended.
func (u *upstream) lose() {
	h := u.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.upstream == u {
		h.upstream, h.lost = nil, u
	}
	if h.peers[u.peer] == u {
		delete(h.peers, u.peer)
	}
	ended := rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the connection to the agent ended")))
	waiting := u.waiting
	u.waiting = nil
	for _, do := range waiting {
		do(ended)
	}
	for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
		if s := h.sessions[id]; s != nil && u.peer != "" && s.peer == u {
			s.end(errGone) // its prompts fail with that reason, after the clients were told
		}
	}
	for len(u.sessionless) > 0 {
		u.sessionless[0].withdraw()
	}
	for _, c := range u.inOrder() {
		if waiting := u.pending[c]; waiting != nil {
			delete(u.pending, c)
			waiting.done(nil, ended)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
		if s := h.sessions[id]; s != nil && u.peer == "" && s.peer == nil { // it may end with another one
			s.tellPeers()
			h.drop(s)
		}
	}
}
