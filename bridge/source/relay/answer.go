package relay

import (
	"strconv"

	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/protocol"
	"github.com/turnwire/turnwire/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// answer passes an answer of the agent on.
func (u *upstream) answer(m jsonrpc.Message) {
	r := u.relay
	id, ok := m.Number()
	r.mu.Lock()
	q := u.calls[id]
	if !ok || q == nil {
		r.mu.Unlock()
		r.repairs.note(repairNoRequest, "id", string(m.ID))
		return
	}
	delete(u.calls, id)
	if m.Error != nil {
		m.Error = u.lawfulError(clean(m.Error))
	} else {
		m.Result = clean(m.Result)
	}
	var early [][]byte
	switch q.method {
	case v1.MethodSessionPrompt:
		u.endTurn(q, m)
	case v1.MethodInitialize:
		u.initializedAgain(q, m)
	case v1.MethodSessionNew, v1.MethodSessionFork:
		early = u.opened(q, m)
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		u.loaded(q, m)
	case v1.MethodSessionClose, v1.MethodSessionDelete:
		if q.method == v1.MethodSessionDelete && m.Error == nil {
			if q.session != nil {
				q.session.closeRecord()
			}
			r.archive.drop(rawmsg.MemberText(q.params, "sessionId"))
		}
		u.pass(q, m)
		if s := q.session; s != nil && m.Error == nil {
			s.forget()
			u.retire()
		}
	default:
		u.pass(q, m)
	}
	r.mu.Unlock()
	if q.isPrompt() {
		q.session.sync()
	}
	for _, line := range early {
		r.repairs.note(repairEarly)
		u.updates.line(line)
	}
}

// pass answers q as the agent has. The lock is held.
func (u *upstream) pass(q *request, m jsonrpc.Message) {
	if m.Error != nil {
		u.relay.requests.fail(q, &core.AgentError{JSON: m.Error})
		return
	}
	u.relay.requests.reply(q, m.Result)
}

// lawfulError is an error with a code and a message.
func (u *upstream) lawfulError(failure []byte) []byte {
	if failure[0] == '{' {
		code, _, _ := rawmsg.Member(failure, "code")
		message, _, _ := rawmsg.Member(failure, "message")
		if _, err := strconv.ParseInt(string(code), 10, 64); err == nil && len(message) > 0 && message[0] == '"' {
			return u.relay.cfg.Agent.Quirks.Failure(failure)
		}
	}
	u.relay.repairs.note(repairError)
	return rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the agent answered with a malformed error: %.2000s", failure)))
}

// endTurn answers a prompt. The lock is held.
func (u *upstream) endTurn(q *request, m jsonrpc.Message) {
	r, s := u.relay, q.session
	if s == nil || !r.client.mends() {
		u.pass(q, m)
		return
	}
	reason := s.quirks.EndTurn()
	if q.abandoned {
		if s.turn.settled() {
			s.release()
		}
		return
	}
	if u.isLost(q, m) {
		r.promptAgain(q)
		return
	}
	cancelled := s.turn.isCancelled()
	if len(s.turn.prompts) <= 1 {
		for _, n := range s.closeCalls() {
			r.repairs.note(repairUnended)
			r.view.Send(n)
		}
	}
	m = u.withReason(s, m, reason, cancelled)
	stop, _, _ := rawmsg.Member(m.Result, "stopReason")
	switch {
	case cancelled && (m.Error != nil || rawmsg.Text(stop) != "cancelled"):
		r.repairs.note(repairNotCancelled, "stopReason", rawmsg.Text(stop))
		if m.Error != nil || stop == nil {
			m.Result = cancelledPrompt
		} else {
			m.Result = rawmsg.Replace(m.Result, "stopReason", []byte(`"cancelled"`))
		}
		m.Error = nil
	case m.Error == nil && rawmsg.Text(stop) == "":
		r.repairs.note(repairStopReason)
		m.Result = withMember(m.Result, "stopReason", []byte(`"end_turn"`))
	}
	u.pass(q, m)
	if !s.turn.isRunning() { // what came after a cancel has waited for this
		s.release()
	}
}

// release gives the agent what has waited for a session. The lock is held.
func (s *session) release() {
	for _, q := range s.turn.takeQueue() {
		s.up.forward(q)
	}
}

// opened enters the session that an answer names, and returns its updates that
// have come before. The lock is held.
func (u *upstream) opened(q *request, m jsonrpc.Message) (early [][]byte) {
	r := u.relay
	u.early.openings--
	remote := rawmsg.MemberText(m.Result, "sessionId")
	if m.Error != nil || remote == "" {
		u.pass(q, m)
		u.retire()
		return nil
	}
	id := remote
	for n := 2; r.sessions[id] != nil || u.usesAgain(id); n++ {
		id = remote + "-" + strconv.Itoa(n)
	}
	if id != remote {
		r.repairs.note(repairSameID, "session", remote)
		m.Result = rawmsg.Replace(m.Result, "sessionId", rawmsg.Quote(id))
	}
	s := r.newSession(id, remote, q.params)
	s.up = u
	r.sessions[id], u.names.sessions[remote] = s, s
	if q.method == v1.MethodSessionFork {
		s.memory.forgets = q.forgets
		s.keepCopy(q.params)
	} else {
		s.keep(q.params, false)
	}
	u.pass(q, m)
	return u.early.take(remote)
}

// loaded notes how the loading of a session went. The lock is held.
func (u *upstream) loaded(q *request, m jsonrpc.Message) {
	s := q.session
	if q.method == v1.MethodSessionLoad {
		s.loading--
	}
	u.pass(q, m)
	switch {
	case m.Error != nil && q.opens:
		s.forget()
	case s.record.to != nil:
		s.record.to.Begin()
		s.record.past = true // from now on all is new
	}
}
