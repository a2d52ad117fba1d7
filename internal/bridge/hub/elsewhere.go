package hub

import (
	"errors"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

var errGone = errors.New("it is not open at its server any more; open it again to go on")

// elsewhere opens a session again: here if no other server has it, else there. The
// lock is held.
func (q *request) elsewhere() {
	h, isPeer := q.front.hub, q.front.Peer
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
			q.fail(protocol.CodeInvalidRequest, "the session %s is not here any more", id)
		case q.front != nil && !h.closed:
			if peer != nil && h.sessions[id] == nil {
				h.newSession(id).peer = h.connectPeer(peer)
			}
			q.reopen()
		}
	})
}

// connectPeer begins the connection with another server unless there is one. The
// lock is held.
func (h *Hub) connectPeer(p *Peer) *upstream {
	u := h.peers[p.Server]
	if u == nil {
		u = h.begin(p.Server, Wire(p.Serve))
		u.loads = true // its hub does
		h.peers[p.Server] = u
	}
	return u
}

// upstream is where the session is, or nil if that is gone.
func (s *session) upstream() *upstream {
	if s.peer != nil {
		return s.peer
	}
	return s.hub.upstream
}

// comesFrom reports whether the session is at the other end of a connection.
func (s *session) comesFrom(u *upstream) bool {
	return s.peer == u || s.peer == nil && u.peer == ""
}

// leaving is the method by which a session that nobody uses is given up.
func (s *session) leaving() string {
	if s.peer != nil {
		return methodDetach // others may use it there
	}
	return v1.MethodSessionClose
}

// methodEnded tells another server that a session is not open any more.
const methodEnded = "_turnwire/session_ended"

// tellPeers tells other servers and hosts, but for one that knows it, that the session is
// not open any more.
func (s *session) tellPeers(but *front) {
	for _, a := range s.attached {
		if (a.front.Peer || a.front.Host) && a.front != but {
			about := rawmsg.Encode(map[string]string{"sessionId": s.id})
			n := core.Notification{
				Line: rawmsg.Request(nil, methodEnded, about), Session: s.id, News: &core.News{Kind: core.SessionEnded},
			}
			a.front.put(message{session: a, after: s.history.last, do: func(v core.View) { v.Send(n) }})
		}
	}
}

// End ends a session that this server must not go on with, and tells its front
// ends why. Prompts that run fail; the agent is told to cancel them.
func (h *Hub) End(id string, cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[id]
	if s == nil || !s.open || s.peer != nil {
		return
	}
	h.log.Warn("a session was ended", "session", id, "cause", cause)
	if u := h.upstream; u != nil {
		about := rawmsg.Encode(map[string]string{"sessionId": id})
		u.notify(v1.MethodSessionCancel, about)
		ending := make(chan struct{})
		h.ending[id] = ending
		u.call(nil, v1.MethodSessionClose, about, func(_, _ []byte) { // it is called at the end of the connection, too
			delete(h.ending, id)
			close(ending)
		})
	}
	s.end(cause)
}

// end forgets the session, and tells its front ends why.
func (s *session) end(cause error) {
	why := s.envelope.change(rawmsg.Encode(map[string]any{
		"sessionUpdate": "agent_message_chunk",
		"content":       map[string]string{"type": "text", "text": "\n\n> ⚠ This session has ended here: " + cause.Error() + "\n\n"},
	})).line
	for _, a := range s.attached {
		var m message
		if !a.front.Peer && !a.front.Host {
			m = line(why)
		}
		m.session, m.after = a, s.history.last // what was said comes before
		a.front.put(m)
		for q := range a.front.requests {
			if q.upstream != nil && rawmsg.MemberText(q.params, "sessionId") == s.id {
				q.answerAfter(a, rawmsg.Error, rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the session has ended here: %w", cause))))
				q.front = nil
			}
		}
	}
	s.tellPeers(nil)
	s.hub.drop(s)
}
