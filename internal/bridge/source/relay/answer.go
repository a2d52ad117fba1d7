package relay

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// answer passes on the agent's response.
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
		m.Error = r.lawfulError(clean(m.Error))
	} else {
		m.Result = clean(m.Result)
	}
	var early [][]byte
	switch q.method {
	case v1.MethodSessionPrompt:
		q.endTurn(m)
	case v1.MethodInitialize:
		q.initializedAgain(m)
	case v1.MethodSessionNew, v1.MethodSessionFork:
		early = q.opened(m)
	case v1.MethodSessionLoad, v1.MethodSessionResume:
		q.loaded(m)
	case v1.MethodSessionClose, v1.MethodSessionDelete:
		q.closed(m)
	case v1.MethodSteering:
		q.steered(m)
	default:
		q.pass(m)
	}
	if q.isPrompt() {
		q.session.sync()
	}
	r.mu.Unlock()
	for _, line := range early {
		r.repairs.note(repairEarly)
		u.updates.line(line)
	}
}

// pass answers the request with the agent's response. The caller holds the lock.
func (q *request) pass(m jsonrpc.Message) {
	r := q.up.relay
	if m.Error != nil {
		r.requests.fail(q, &core.AgentError{JSON: bytes.Clone(m.Error)})
		return
	}
	r.requests.reply(q, m.Result)
}

// hasCode reports whether an error has the given code.
func hasCode(failure []byte, code int) bool {
	value, _, _ := rawmsg.Member(objectOf(failure), "code")
	return string(value) == strconv.Itoa(code)
}

// lawfulError returns failure if it has a code and a message, otherwise an error that
// reports it.
func (r *relay) lawfulError(failure []byte) []byte {
	if failure[0] == '{' {
		code, _, _ := rawmsg.Member(failure, "code")
		message, _, _ := rawmsg.Member(failure, "message")
		if _, err := strconv.ParseInt(string(code), 10, 64); err == nil && len(message) > 0 && message[0] == '"' {
			return r.cfg.Agent.Quirks.Failure(failure)
		}
	}
	r.repairs.note(repairError)
	return rawmsg.Encode(protocol.Wire(protocol.Errorf(protocol.CodeInternal, "the agent responded with a malformed error: %.2000s", failure)))
}

// endTurn answers a prompt. The caller holds the lock.
func (q *request) endTurn(m jsonrpc.Message) {
	r, s := q.up.relay, q.session
	if s == nil || !r.client.mends() {
		q.pass(m)
		return
	}
	reason := s.quirks.EndReason()
	if q.abandoned {
		s.quirks.EndTurn()
		if s.turn.settled() {
			s.release()
		}
		return
	}
	if q.isLost(m) {
		q.retry()
		return
	}
	cancelled := s.turn.isCancelled()
	if len(s.turn.prompts) <= 1 {
		for _, n := range s.closeCalls() {
			r.repairs.note(repairUnended)
			r.view.Send(n)
		}
	}
	m = s.withReason(m, reason, cancelled)
	if !cancelled && q.goOn(m) {
		return
	}
	s.quirks.EndTurn()
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
	q.pass(m)
	if !s.turn.isRunning() { // pass on what arrived after a cancel
		s.release()
	}
}

// release passes on the requests queued for a session. The caller holds the lock.
func (s *session) release() {
	r := s.relay
	for _, q := range s.turn.takeQueue() {
		if q.mustWait(s) {
			s.turn.queue = append(s.turn.queue, q)
			continue
		}
		if q.method == v1.MethodSessionFork && r.keepsSessions() && !s.up.ableTo(q.method) {
			q.session = nil // only its record is needed
			(&keptRequest{request: q, up: s.up}).fork(nil)
			continue
		}
		q.call.Accept()
		s.up.forward(q)
	}
}

// loaded records the outcome of loading a session. The caller holds the lock.
func (q *request) loaded(m jsonrpc.Message) {
	s := q.session
	if !s.turn.isRunning() { // the history ends here
		showHeld(s)
	}
	if q.method == v1.MethodSessionLoad {
		s.loading--
	}
	q.pass(m)
	switch {
	case m.Error != nil && q.opens: // the session is gone
		return
	case s.record.to != nil:
		s.record.to.Begin()
		s.record.past, s.record.replayed = true, nil // everything from now on is new
	}
	if q.opens {
		s.memory.unconfirmed = false
		s.release()
	}
}
