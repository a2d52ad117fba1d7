package hub

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// opened handles the response that names a new session. past are changes copied from another
// session. The client has them, and what the session showed before the response if the source
// replayed it.
func (q *request) opened(result []byte, past []change) {
	h := q.at.hub
	id := rawmsg.MemberText(result, "sessionId")
	s := h.sessions[id]
	if s == nil {
		s = h.newSession(id)
	}
	s.opened(q, rawmsg.Without(result, "sessionId"))
	known := s.history.last
	if !q.upstream.Replayed {
		known = s.history.precede(past, s.envelope)
	}
	if q.client != nil {
		s.attach(q.client, known)
	}
	q.settle(nil, result, nil)
	s.mayClose()
}

// opened records the response to the request that opened the session.
func (s *session) opened(q *request, state []byte) {
	if s.peer != nil {
		state = s.prompts.take(state)
	}
	s.open, s.setup, s.cwd = true, state, rawmsg.MemberText(q.params, "cwd")
	s.loaded = s.history.last
}

// afterRestart is the member of a request's _meta with which a client that knew the session
// before the server was restarted asks for what happened in it since. So it misses nothing
// that clients did which were back sooner.
const afterRestart = "turnwire.dev/afterRestart"

// since returns the number of the last change that the client of a request without history
// knows.
func (q *request) since(s *session) int64 {
	meta := object(q.params, "_meta")
	if value, _, _ := rawmsg.Member(meta, afterRestart); string(value) == "true" {
		return s.loaded
	}
	return s.history.last
}

// reopen opens a saved session, or attaches the client to one that is open.
func (q *request) reopen() {
	h := q.client.hub
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
	if q.method == v1.MethodSessionLoad { // its updates precede the response
		s.history.clear()
		s.attach(q.client, 0)
		q.reopenAt(up, s, v1.MethodSessionLoad)
		return
	}
	up.whenInitialized(func([]byte) { // whether the agent can load sessions is known only then
		method := q.method
		if up.loads { // other clients may want the history
			method = v1.MethodSessionLoad
			s.history.clear()
		}
		q.reopenAt(up, s, method)
	})
}

// reopenAt opens a saved session at a source, for all requests that wait for it.
func (q *request) reopenAt(up *upstream, s *session, method string) {
	h, params := s.hub, q.params
	if method != q.method {
		if servers, _, _ := rawmsg.Member(params, "mcpServers"); servers == nil {
			params = with(params, "mcpServers", []byte("[]"))
		}
	}
	q.send(up, method, params, func(result, failure []byte) {
		waiting := s.loading
		s.loading = nil
		if failure != nil {
			if s.prompts.here > 0 { // sent behind the request; nobody could cancel them now
				up.notify(v1.MethodSessionCancel, rawmsg.Encode(map[string]string{"sessionId": s.id}))
			}
			h.drop(s)
			for _, w := range waiting {
				if q.cancelled && w != q && w.client != nil { // only q's client gave up
					w.begin()
					continue
				}
				w.settle(nil, nil, failure)
			}
			return
		}
		s.opened(q, result)
		for _, q := range waiting {
			resume(q, s)
		}
		s.mayClose()
	})
}

// resume continues a request that waited until a session is open.
func resume(q *request, s *session) {
	switch {
	case q.client == nil: // it is gone
	case q.method == methodDetach:
		q.detach()
	default:
		q.reattach(s)
	}
}

// reattach attaches a client to an open session.
func (q *request) reattach(s *session) {
	cl := q.client
	known := cl.attached[s.id]
	a := known
	if q.method == v1.MethodSessionResume {
		a = q.attachAgain(s)
	} else if a == nil || s.hub.sessions[s.id] != s || a.sent > 0 && q.upstream == nil {
		a = s.attach(cl, 0)
	}
	q.settle(a, s.stateFor(cl), nil)
	if a != known {
		a.showLatest()
	}
	s.askAgain(a)
}

// stateFor returns the response that attaches a client to the session.
func (s *session) stateFor(cl *client) []byte {
	if cl.shows.turns {
		return s.setup.withTurns(s.prompts.all())
	}
	return s.setup
}
