package hub

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
)

// endBudget bounds the end of the agent's connection: a bridge takes two seconds.
const endBudget = 3 * time.Second

// An upstream is the connection on which the hub is the client.
type upstream struct {
	hub    *Hub
	peer   string // the server at the other end; "" for the agent
	stream *protocol.Stream
	input  io.Closer     // of the agent's side
	ended  chan struct{} // nothing of it is left

	// What follows is guarded by the hub's mutex.
	last    int64
	pending map[string]*call // by their ids as JSON
	hello   []byte           // the answer to initialize; nil before
	loads   bool             // the agent has session/load
	waiting []*request       // initialize requests that wait for hello
}

// A call is a request of the hub that is not answered. done is called with the
// hub's mutex held, and exactly one of result and failure.
type call struct {
	from *front // who has asked for it; nil if nobody waits for the answer
	done func(result, failure []byte)
}

// connect begins the connection unless there is one. The lock is held.
func (h *Hub) connect() *upstream {
	if h.upstream == nil {
		h.upstream = h.begin("", h.cfg.Serve)
	}
	return h.upstream
}

// begin begins a connection on which the hub is the client. The lock is held.
func (h *Hub) begin(peer string, serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error) *upstream {
	toAgent, ours := io.Pipe()
	fromAgent, theirs := io.Pipe()
	u := &upstream{hub: h, peer: peer, input: ours, pending: make(map[string]*call), ended: make(chan struct{})}
	u.stream = protocol.NewStream(fromAgent, ours, fromAgent.Close, h.log)
	ctx, cancel := context.WithCancel(h.ctx)
	served := make(chan struct{})
	h.work.Go(func() {
		defer close(served)
		err := serve(ctx, toAgent, theirs)
		if err != nil {
			h.log.Warn("the connection with the agent ended", "server", peer, "error", err)
		}
		closeAll(h, theirs, toAgent)
	})
	h.work.Go(func() {
		defer close(u.ended)
		if err := u.stream.Messages(u.take); err != nil {
			h.log.Warn("reading the agent", "error", err)
		}
		u.lost()
		closeAll(h, u.stream)
		cancel()
		<-served
	})
	u.call(nil, methodInitialize, hello(h.cfg.Version), u.greeted)
	return u
}

func closeAll(h *Hub, all ...io.Closer) {
	for _, c := range all {
		if err := c.Close(); err != nil {
			h.log.Debug("closing a connection", "error", err)
		}
	}
}

// end closes the input of the agent's connection, which answers what is open, and
// waits for its end.
func (u *upstream) end() {
	u.stream.Drain(endBudget)
	closeAll(u.hub, u.input)
	select {
	case <-u.ended:
	case <-time.After(endBudget):
		closeAll(u.hub, u.stream)
		<-u.ended
	}
}

// call sends a request. The lock is held.
func (u *upstream) call(from *front, method string, params []byte, done func(result, failure []byte)) []byte {
	u.last++
	id := strconv.AppendInt(nil, u.last, 10)
	u.pending[string(id)] = &call{from: from, done: done}
	u.send(rawmsg.Request(id, method, params))
	return id
}

// send sends a line that never waits. The lock is held.
func (u *upstream) send(line []byte) {
	if err := u.stream.Send(line); err != nil {
		u.hub.log.Debug("a line could not be sent to the agent", "error", err)
	}
}

// take takes a message of the agent.
func (u *upstream) take(m protocol.Message) {
	h := u.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case m.Method == "":
		c := u.pending[string(m.ID)]
		delete(u.pending, string(m.ID))
		if c == nil {
			h.log.Warn("dropped an answer to no request", "id", string(m.ID))
			return
		}
		c.done(bytes.Clone(m.Result), bytes.Clone(m.Error))
	case m.ID == nil && m.Method == methodCancelCall:
		id, _, _ := rawmsg.Member(m.Params, "requestId")
		u.withdraws(id)
	case m.ID == nil:
		u.notified(m)
	default:
		u.asked(m)
	}
}

// notified takes a notification of the agent. The lock is held.
func (u *upstream) notified(m protocol.Message) {
	h := u.hub
	id := rawmsg.MemberText(m.Params, "sessionId")
	if u.peer != "" {
		u.relayed(m, id)
		return
	}
	if id == "" {
		line := rawmsg.Request(nil, m.Method, m.Params)
		for f := range h.fronts {
			f.put(message{line: line})
		}
		return
	}
	s := h.sessions[id]
	if s == nil && h.ending[id] != nil {
		return // it was said after the end
	}
	if s == nil {
		if len(h.sessions) >= maxSessions {
			h.log.Warn("dropped an update of an unknown session", "session", id)
			return
		}
		s = h.newSession(id) // the answer that opens it comes later
	}
	s.noteUpdate(m.Method, m.Params)
	s.add(newChange(m.Method, m.Params))
}

// lost fails all requests after the end of the connection.
func (u *upstream) lost() {
	h := u.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.upstream == u {
		h.upstream = nil
	}
	if h.peers[u.peer] == u {
		delete(h.peers, u.peer)
	}
	gone := rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the connection with the agent has ended")))
	for _, q := range u.waiting {
		q.answer(rawmsg.Error, gone)
	}
	u.waiting = nil
	for id, c := range u.pending {
		delete(u.pending, id)
		c.done(nil, gone)
	}
	for _, s := range h.sessions {
		switch {
		case s.peer != u && (s.peer != nil || u.peer != ""):
		case u.peer != "":
			s.end(errGone)
		default:
			s.tellPeers(nil)
			h.drop(s)
		}
	}
}
