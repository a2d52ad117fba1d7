package relay

import (
	"bytes"
	"fmt"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// closed handles the agent's response to a request that closes or deletes a session. The
// client gets it when the session's record is closed, or deleted. The caller holds the lock.
func (q *request) closed(m jsonrpc.Message) {
	u, r := q.up, q.up.relay
	switch {
	case !r.client.mends():
	case q.method == v1.MethodSessionClose && hasCode(m.Error, protocol.CodeMethodNotFound):
		m = q.closeHere(m)
	case q.method == v1.MethodSessionDelete && hasCode(m.Error, protocol.CodeNotFound):
		r.repairs.note(repairUndeleted)
		m.Error, m.Result = nil, []byte("{}")
	}
	s := q.session
	if m.Error != nil {
		q.pass(m)
		if s != nil && !s.memory.lost && !s.memory.opening && !s.turn.isOver() {
			s.release()
		}
		return
	}
	var reopens []*request
	if s != nil && r.client.mends() {
		reopens = s.turn.takeReopening()
		s.cancel() // some prompts may be running, or not sent yet
		s.endTurn()
	}
	if r.archive.Store == nil {
		q.pass(m)
	}
	if s != nil {
		drop(s)
		u.retire()
	}
	defer passAgain(r, reopens)
	if r.archive.Store == nil {
		return
	}
	m.Result = bytes.Clone(m.Result)
	q.unsave(r, func() { q.pass(m) })
}

// unsave deletes the record of a session if the request deletes the session, and then calls done
// with the lock held. It waits until the record is closed. If the record can't be deleted, the
// request fails.
func (q *request) unsave(r *relay, done func()) {
	id := rawmsg.MemberText(q.params, "sessionId")
	r.archive.work.Post(id, func() {
		var err error
		if q.method == v1.MethodSessionDelete {
			err = r.archive.Delete(id)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if err != nil {
			r.requests.fail(q, &core.ClosedError{Err: fmt.Errorf("what was saved of the session could not be deleted: %w", err)})
			return
		}
		done()
	})
}

// endsSession reports whether the request closes or deletes a session.
func (q *request) endsSession() bool {
	return q.method == v1.MethodSessionClose || q.method == v1.MethodSessionDelete
}

// endsHere reports whether a request closes or deletes a session whose process has ended, and no
// agent needs to be asked: none has it open, and if it is deleted, none saves it. The caller holds
// the lock.
func (q *request) endsHere(s *session) bool {
	switch {
	case !s.memory.lost, s.forgotten:
		return false
	case q.method == v1.MethodSessionDelete:
		return s.relay.ups[""] == nil && (s.up == nil || !s.up.ableTo(q.method))
	}
	return q.method == v1.MethodSessionClose
}

// forgetReopened forgets a session whose process has ended. If the agent is reopening it, later
// requests with its id wait until that is done. Otherwise, the agent would carry out a prompt in
// it, or replay its history into the session that the client opens next. The caller holds the lock.
func forgetReopened(s *session) {
	drop(s)
	if s.memory.opening {
		s.relay.sessions[s.id] = s
	}
}

// isClosing reports whether the agent has not answered a request to close or delete the session.
// Until then, the turn of a prompt behind it could become invisible. The caller holds the lock.
func isClosing(s *session) bool {
	if s.up == nil || !s.relay.client.mends() {
		return false
	}
	for _, q := range s.up.calls {
		if q.session == s && q.endsSession() {
			return true
		}
	}
	return false
}

// closeHere closes a session for an agent that cannot close sessions, and returns the
// response. The caller holds the lock.
func (q *request) closeHere(m jsonrpc.Message) jsonrpc.Message {
	q.up.relay.repairs.note(repairNoClose)
	if s := q.session; s != nil && s.turn.isRunning() {
		q.up.enqueue(rawmsg.Request(nil, v1.MethodSessionCancel, withMember(nil, "sessionId", rawmsg.Quote(s.remote))))
	}
	m.Error, m.Result = nil, []byte("{}")
	return m
}
