package hub

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// The history policies of session/attach.
const (
	historyFull    = "full"
	historyPending = "pending_only"
	historyNone    = "none"
)

// attach answers session/attach for an open session.
func (q *request) attach() {
	f := q.front
	s := f.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]
	if s == nil || !s.open {
		q.fail(protocol.CodeNotFound, "no such session is open; session/load opens one that was closed")
		return
	}
	policy := rawmsg.MemberText(q.params, "historyPolicy")
	if policy != historyPending && policy != historyNone {
		policy = historyFull
	}
	if rawmsg.MemberText(q.params, "role") == roleObserver {
		f.observe(s.id)
	}
	from := s.history.last
	if policy == historyFull && f.Host {
		from = 0 // a host gets the changes themselves, before the response
	}
	a := s.attach(f, from)
	a.aware = true
	state := s.stateFor(f) // as for session/load
	state = with(state, "connectedClients", rawmsg.Encode(s.clients()))
	state = with(state, "historyPolicy", rawmsg.Quote(policy))
	state = with(state, "clientId", rawmsg.Quote(f.id))
	state = with(state, "sessionId", rawmsg.Quote(s.id))
	if policy == historyFull && !f.Host { // last, because it is long and would be copied again
		state = with(state, "history", s.history.replay(f.shows.times))
	}
	q.settle(a, state, nil)
	s.askAgain(a)
}

// observe makes the client an observer of a session. It can't be undone on this
// connection.
func (f *front) observe(id string) {
	if f.observes == nil {
		f.observes = make(map[string]bool)
	}
	if len(f.observes) < maxSessions || f.observes[id] {
		f.observes[id] = true
	}
}

// detach answers session/detach.
func (q *request) detach() {
	id := rawmsg.MemberText(q.params, "sessionId")
	a := q.front.attached[id]
	if a == nil {
		q.fail(protocol.CodeInvalidParams, "the session %s is not attached", id)
		return
	}
	a.leaveAloud()
	q.answer(rawmsg.Result, rawmsg.Encode(map[string]string{"sessionId": id, "status": "detached"}))
}
