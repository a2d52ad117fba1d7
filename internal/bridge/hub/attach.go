package hub

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
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
	cl := q.client
	id := rawmsg.MemberText(q.params, "sessionId")
	if rawmsg.MemberText(q.params, "role") == roleObserver {
		cl.observe(id) // also if it is opened later
	}
	s := cl.hub.sessions[id]
	if s == nil || !s.open {
		q.fail(protocol.CodeNotFound, "the session is not open; session/load opens a closed one")
		return
	}
	policy := rawmsg.MemberText(q.params, "historyPolicy")
	if policy != historyPending && policy != historyNone {
		policy = historyFull
	}
	var a *attachment
	known := cl.attached[s.id]
	if policy == historyFull && cl.Host { // it gets the changes themselves, before the response
		n := core.Notification{Session: s.id, Event: &core.ClientEvent{Kind: core.HistoryBegins}}
		cl.enqueue(message{do: func(v core.View) { v.Send(n) }})
		a = s.attach(cl, 0)
	} else {
		a = q.attachAgain(s)
	}
	a.aware = true
	state := s.setup.withTurns(s.prompts.all()) // it is notified of the end of these turns
	state = with(state, "connectedClients", rawmsg.Encode(s.clients()))
	state = with(state, "historyPolicy", rawmsg.Quote(policy))
	state = with(state, "clientId", rawmsg.Quote(cl.id))
	state = with(state, "sessionId", rawmsg.Quote(s.id))
	if policy == historyFull && !cl.Host { // last, because it is long and would be copied again
		state = with(state, "history", s.history.replay(cl.shows.times))
		a.recalled = s.history.last
	}
	q.settle(a, state, nil)
	if policy != historyFull && a != known {
		a.showLatest()
	}
	s.askAgain(a)
}

// attachAgain attaches the client, which gets the changes from now on. If it is already
// attached, it also gets what it has not been sent yet, and nothing twice.
func (q *request) attachAgain(s *session) *attachment {
	cl := q.client
	a := cl.attached[s.id]
	if a == nil || a.session != s {
		return s.attach(cl, q.since(s))
	}
	a.withdraw()
	return a
}

// observe makes the client an observer of a session. It can't be undone on this
// connection.
func (cl *client) observe(id string) {
	if cl.observes == nil {
		cl.observes = make(map[string]bool)
	}
	if len(cl.observes) >= maxSessions && !cl.observes[id] {
		return
	}
	cl.observes[id] = true
	if a := cl.attached[id]; a != nil {
		a.observer = true // it may be loading the session
		a.withdraw()
	}
}

// detach answers session/detach. It waits until the session is open, because an earlier
// request of the client may attach it then.
func (q *request) detach() {
	id := rawmsg.MemberText(q.params, "sessionId")
	if s := q.client.hub.sessions[id]; s != nil && s.loading != nil {
		s.loading = append(s.loading, q)
		return
	}
	a := q.client.attached[id]
	if a == nil {
		q.fail(protocol.CodeInvalidParams, "the session %s is not attached", id)
		return
	}
	a.leaveAloud()
	q.answer(rawmsg.Result, rawmsg.Encode(map[string]string{"sessionId": id, "status": "detached"}))
}
