package hub

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// open opens a new session. past are changes copied from another session.
func (q *request) open(past []change) {
	h := q.front.hub
	q.forward(func(result, failure []byte) {
		id := rawmsg.MemberText(result, "sessionId")
		if failure != nil || id == "" {
			q.settle(nil, result, failure)
			return
		}
		s := h.sessions[id]
		if s == nil {
			s = h.newSession(id)
		}
		s.opened(q, rawmsg.Without(result, "sessionId"))
		known := s.history.precede(past, s.envelope)
		if q.front != nil {
			s.attach(q.front, known)
		}
		q.settle(nil, result, nil)
		s.mayClose()
	})
}

// opened records the response to the request that opened the session.
func (s *session) opened(q *request, state []byte) {
	s.open, s.setup, s.cwd = true, state, rawmsg.MemberText(q.params, "cwd")
}

// reopen opens a saved session, or attaches the client to one that is open.
func (q *request) reopen() {
	h := q.front.hub
	id := rawmsg.MemberText(q.params, "sessionId")
	if id == "" {
		q.fail(protocol.CodeInvalidParams, "sessionId is missing")
		return
	}
	s := h.sessions[id]
	switch {
	case s != nil && s.open:
		q.reattach(s)
		return
	case s != nil && s.loading != nil:
		s.loading = append(s.loading, q)
		return
	case s == nil:
		s = h.newSession(id)
	}
	s.loading = []*request{q}
	up := s.peer
	if up == nil {
		up = h.connect()
	}
	method, params := q.method, q.params
	if method == v1.MethodSessionResume && up.loads { // other clients may want the history
		method = v1.MethodSessionLoad
		if servers, _, _ := rawmsg.Member(params, "mcpServers"); servers == nil {
			params = with(params, "mcpServers", []byte("[]"))
		}
	}
	if q.method == v1.MethodSessionLoad { // its updates precede the response
		s.attach(q.front, 0)
	}
	q.send(up, method, params, func(result, failure []byte) {
		waiting := s.loading
		s.loading = nil
		if failure != nil {
			h.drop(s)
			for _, q := range waiting {
				q.settle(nil, nil, failure)
			}
			return
		}
		s.opened(q, result)
		for _, q := range waiting {
			if q.front != nil {
				q.reattach(s)
			}
		}
		s.mayClose()
	})
}

// reattach attaches a client to an open session.
func (q *request) reattach(s *session) {
	f := q.front
	a := f.attached[s.id]
	if q.method == v1.MethodSessionResume {
		a = s.attach(f, s.history.last)
	} else if a == nil || s.hub.sessions[s.id] != s || a.sent > 0 && q.upstream == nil {
		a = s.attach(f, 0)
	}
	q.settle(a, s.stateFor(f), nil)
	s.askAgain(a)
}

// stateFor returns the response that attaches a client to the session.
func (s *session) stateFor(f *front) []byte {
	if f.shows.turns {
		return s.setup.withTurns(s.prompts)
	}
	return s.setup
}
