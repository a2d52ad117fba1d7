package relay

import (
	"bytes"
	"cmp"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// Call implements [core.Source].
func (r *relay) Call(call *core.Call) {
	q := &request{call: call, method: call.Method, params: call.Params}
	call.OnCancel(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.cancelRequest(q)
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests.add(q)
	if q.method == v1.MethodSessionFork {
		if from := r.sessions[rawmsg.MemberText(q.params, "sessionId")]; from != nil {
			q.forking.of, q.forking.prompted = from, from.record.prompts
		}
	}
	switch {
	case r.ending:
		r.requests.fail(q, protocol.Errorf(protocol.CodeInternal, "the connection is ending"))
	case q.method == v1.MethodInitialize && r.ups[""] == nil:
		r.initialize(q)
	default:
		err := r.checkCursor(q)
		if err == nil {
			err = r.place(q)
		}
		if err != nil {
			r.requests.fail(q, err)
		} else if !r.saved(q) {
			r.pass(q)
		}
	}
}

// pass passes a request on to the agent, or queues it for its session. The caller holds
// the lock.
func (r *relay) pass(q *request) {
	id := rawmsg.MemberText(q.params, "sessionId")
	s := r.sessions[id]
	opens := q.opensSaved()
	if opens && (s == nil || s.memory.lost && !s.memory.opening) {
		// Register the session first, because its updates may precede the response.
		late := s
		s = r.newSession(id, cmp.Or(q.remote, id), q.params)
		if late != nil {
			s.calls.states = late.calls.states
			r.archive.end(id, &late.record)
		}
		r.sessions[id] = s
		q.opens, s.memory.unconfirmed = true, true
		s.keep(q.params, true)
	}
	if s == nil && q.needsOpen() && r.wasClosed(id) {
		r.requests.fail(q, protocol.Errorf(protocol.CodeNotFound, "the session %q is closed: load or resume it first", id))
		return
	}
	q.session = s
	if q.method == v1.MethodSessionLoad && s != nil {
		s.loading++
	}
	if q.method == v1.MethodSteering && s != nil && r.client.mends() {
		q.ownTurn()
		if s.turn.isOver() {
			q.notSteered()
			return
		}
	}
	switch {
	case s == nil, opens && !s.memory.opening && !isClosing(s): // otherwise, it waits until the session is open or closed
	case q.endsHere(s):
		forgetReopened(s)
		done := func() { r.requests.reply(q, []byte("{}")) }
		if r.archive.Store != nil {
			q.unsave(r, done)
		} else {
			done()
		}
		return
	case s.memory.lost, s.memory.opening, q.mustWait(s):
		if s.loading == 0 && !s.memory.unconfirmed && !s.forgotten { // otherwise, the history comes first, or it is closed
			q.call.Accept()
		}
		s.turn.queue = append(s.turn.queue, q)
		s.attend()
		return
	}
	up, err := r.upstreamOf(q)
	if err != nil {
		r.requests.fail(q, err)
		return
	}
	q.call.Accept()
	if s != nil && q.endsSession() && r.client.mends() { // the agent must cancel what runs
		s.withdraw()
	}
	up.forward(q)
}

// mustWait reports whether a request waits for the end of a cancelled turn, or until its session is
// closed or open. An agent could repeat a prompt in the history that it is still sending. The caller
// holds the lock.
func (q *request) mustWait(s *session) bool {
	return (q.needsOpen() || q.opensSaved()) && isClosing(s) ||
		q.isPrompt() && (s.turn.stale > 0 || (s.turn.isCancelled() || s.memory.unconfirmed) && s.relay.client.mends())
}

// Notify implements [core.Source].
func (r *relay) Notify(method string, params []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	params = bytes.Clone(params)
	s := r.sessions[rawmsg.MemberText(objectOf(params), "sessionId")]
	if method == v1.MethodSessionCancel && s != nil && r.client.mends() {
		s.cancel()
	}
	up := r.ups[""]
	if s != nil && s.up != nil {
		up = s.up
	}
	if up == nil || s != nil && s.memory.lost {
		r.log.Debug("dropped a notification without a receiver", "method", method)
		return
	}
	if s != nil {
		params = s.translated(params)
	}
	up.enqueue(rawmsg.Request(nil, method, params))
}

// translated returns params with the agent's id for the session.
func (s *session) translated(params []byte) []byte {
	if s.id == s.remote {
		return params
	}
	return rawmsg.Replace(params, "sessionId", rawmsg.Quote(s.remote))
}

// drop forgets a session in which the agent may still work. The client sees nothing more
// of it, and can't use it. The caller holds the lock.
func drop(s *session) {
	s.forget()
	if s.up != nil && s.relay.client.mends() {
		s.up.names.close(s)
	}
}

// forget removes a session, and answers the requests queued for it. The caller holds the
// lock.
func (s *session) forget() {
	r := s.relay
	for _, q := range s.turn.takeQueue() {
		if q.isPrompt() {
			r.requests.reply(q, cancelledPrompt)
		} else {
			r.requests.fail(q, protocol.Errorf(protocol.CodeNotFound, "the session %q was closed", s.id))
		}
	}
	if r.sessions[s.id] == s {
		delete(r.sessions, s.id)
	}
	if s.up != nil {
		s.up.names.remove(s)
	}
	s.forgotten = true
	s.withdraw()
	r.archive.end(s.id, &s.record)
}
