package hub

import (
	"errors"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

var errGone = errors.New("the server closed it; open it again to continue")

// elsewhere reopens a session: on another server if one has it, otherwise here. The
// caller holds the lock.
func (q *request) elsewhere() {
	h, isPeer := q.client.hub, q.client.Peer
	id := rawmsg.MemberText(q.params, "sessionId")
	ending := h.ending[id]
	if s := h.sessions[id]; ending == nil && (h.cfg.Elsewhere == nil || id == "" || s != nil && (s.open || s.loading != nil)) {
		q.reopen()
		return
	}
	h.work.Go(func() {
		if ending != nil {
			<-ending
		}
		var peer *Peer
		var err error
		if h.cfg.Elsewhere != nil {
			peer, err = h.cfg.Elsewhere(h.ctx, id)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		switch {
		case err != nil:
			q.fail(protocol.CodeInvalidRequest, "%w", err)
		case peer != nil && isPeer: // two servers would wait for each other
			q.fail(protocol.CodeInvalidRequest, "the session %s is no longer on this server", id)
		case q.client != nil && !h.closed:
			if peer != nil && h.sessions[id] == nil {
				h.newSession(id).peer = h.connectPeer(peer)
			}
			q.reopen()
		}
	})
}

// connectPeer connects to another server, unless there is a connection already. The
// caller holds the lock.
func (h *Hub) connectPeer(p *Peer) *upstream {
	u := h.peers[p.Server]
	if u == nil {
		u = h.begin(p.Server, Wire(p.Serve))
		u.loads = true // every hub can load sessions
		h.peers[p.Server] = u
	}
	return u
}

// upstream returns the connection to the session's agent or server, or nil if it is
// gone.
func (s *session) upstream() *upstream {
	if s.peer != nil {
		return s.peer
	}
	return s.hub.upstream
}

// comesFrom reports whether u leads to the session.
func (s *session) comesFrom(u *upstream) bool {
	return s.peer == u || s.peer == nil && u.peer == ""
}

// leaving returns the method that gives up a session that nobody uses.
func (s *session) leaving() string {
	if s.peer != nil {
		return methodDetach // others may use it there
	}
	return v1.MethodSessionClose
}

// staysMeta marks a request of another server to close a session: that server still has clients
// which only follow the session. If it stays open for others, the result is marked, and that
// server stays attached.
const staysMeta = "turnwire.dev/stays"

// mayStay returns the params of session/close for the server that has the session.
func mayStay(params []byte) []byte {
	return with(params, "_meta", with(object(params, "_meta"), staysMeta, []byte("true")))
}

// stays reports whether a request or its result is marked.
func stays(of []byte) bool {
	marked, _, _ := rawmsg.Member(object(of, "_meta"), staysMeta)
	return string(marked) == "true"
}

// leaveOpen handles session/close for a session that others control: it stays open for them.
func (a *attachment) leaveOpen(params []byte) (result []byte) {
	if a.client.Peer && stays(params) {
		return mayStay([]byte("{}"))
	}
	a.leaveAloud()
	return []byte("{}")
}

// methodEnded tells another server that a session is no longer open.
const methodEnded = "_turnwire/session_ended"

// tellPeers tells other servers and hosts that the session is no longer open.
func (s *session) tellPeers() {
	for _, a := range s.attached {
		if a.client.Peer || a.client.Host {
			a.tellEnd()
		}
	}
}

// tellEnd tells another server or a host that the session is no longer open.
func (a *attachment) tellEnd() {
	s := a.session
	about := rawmsg.Encode(map[string]string{"sessionId": s.id})
	n := core.Notification{
		Line: rawmsg.Request(nil, methodEnded, about), Session: s.id, Event: &core.ClientEvent{Kind: core.SessionEnded},
	}
	a.client.enqueue(message{session: a, after: s.history.last, do: func(v core.View) { v.Send(n) }})
}

// End ends a session that this server must not continue, and tells its clients why.
// Running prompts fail, and the agent is told to cancel them.
func (h *Hub) End(id string, cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[id]
	if s == nil || !s.open || s.peer != nil {
		return
	}
	h.log.Warn("a session ended", "session", id, "cause", cause)
	if u := h.upstream; u != nil {
		about := rawmsg.Encode(map[string]string{"sessionId": id})
		u.notify(v1.MethodSessionCancel, about)
		ending := make(chan struct{})
		h.ending[id] = ending
		u.call(nil, v1.MethodSessionClose, about, func(_, _ []byte) { // also called when the connection ends
			delete(h.ending, id)
			close(ending)
		})
	}
	s.end(cause)
}

// end drops the session, and tells its clients why. Requests that need it fail.
func (s *session) end(cause error) {
	why := s.envelope.change(rawmsg.Encode(map[string]any{
		"sessionUpdate": "agent_message_chunk",
		"content":       map[string]string{"type": "text", "text": core.EndedHere(cause)},
	})).line
	for _, a := range s.attached {
		var m message
		if !a.client.Peer && !a.client.Host {
			m = line(why)
		}
		m.session, m.after = a, s.history.last // earlier changes are shown first
		a.client.enqueue(m)
		if a.client.Host { // it must know this before it begins another turn
			a.tellEnd()
		}
		for q := range a.client.requests {
			if q.upstream != nil && !isForSaved(q.method) && rawmsg.MemberText(q.params, "sessionId") == s.id {
				q.answerAfter(a, rawmsg.Error, rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the session ended here: %w", cause))))
				q.client = nil
			}
		}
		if a.client.Peer {
			a.tellEnd()
		}
	}
	s.hub.drop(s)
}
