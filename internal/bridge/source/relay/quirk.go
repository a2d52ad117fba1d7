package relay

import (
	"bytes"
	"strconv"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// repaired applies the agent's quirks to an update and passes on the result. It returns
// false if the update is not JSON.
func (u *updates) repaired(line []byte, s *session, from, to int) bool {
	body := line[from:to]
	if scanned := scan(body, u.room[:]); !scanned.wellMade {
		return false
	}
	r := u.up.relay
	r.mu.Lock()
	if s.forgotten || s.memory.replay || s.turn.stale > 0 || !r.client.mends() {
		r.mu.Unlock()
		return u.pass(line, s, from, to)
	}
	steps := s.quirks.Update(body)
	r.mu.Unlock()
	if len(steps) == 1 && bytes.Equal(steps[0].Update, body) {
		return u.pass(line, s, from, to)
	}
	r.repairs.note(repairQuirk, "update", rawmsg.MemberText(body, "sessionUpdate"))
	for _, step := range steps {
		next := step.Update
		if step.Notice != nil {
			next = r.client.noticeOf(step.Notice.Severity, step.Notice.Message, "")
		}
		u.pass(spliced(line, from, to, next), s, from, from+len(next))
	}
	return true
}

// releaseHeld passes on a chunk that was held back, because the agent continues in the
// session that params name.
func (u *updates) releaseHeld(params []byte) {
	r := u.up.relay
	if r.cfg.Agent.Quirks == nil {
		return
	}
	r.mu.Lock()
	s, own := u.up.names.owner(rawmsg.MemberText(params, "sessionId"))
	var queued []byte
	if own {
		queued = s.quirks.Release()
	}
	r.mu.Unlock()
	if queued != nil {
		u.say(s, queued)
	}
}

// showHeld shows the chunk that was held back, because nothing of its turn follows. The caller holds
// the lock.
func showHeld(s *session) {
	if queued := s.quirks.Release(); queued != nil {
		s.noteUpdate(queued, false)
		s.relay.view.Send(updateNotification(s.id, queued))
	}
}

// say passes on an update as if the agent had sent it. The caller must not hold the
// lock.
func (u *updates) say(s *session, body []byte) {
	n := updateNotification(s.remote, body)
	own := updates{up: u.up} // the caller may not be the goroutine that reads
	own.pass(n.Line, s, n.From, n.To)
}

// quirksOf returns the quirks of the session that a request names. The caller holds the
// lock.
func (r *relay) quirksOf(s *session) *quirks.Session {
	if s == nil {
		return r.cfg.Agent.Quirks.NewSession("")
	}
	return s.quirks
}

// unaskable refuses a permission request that can't be shown to the user, and says so
// to the user. The caller holds the lock; unaskable releases it.
func (a *pendingRequest) unaskable() {
	r, s := a.up.relay, a.session
	a.note(a.open("none of the options can be chosen"))
	r.mu.Unlock()
	r.repairs.note(repairUnaskable)
	a.up.rpc.Respond(a.id, notPermitted)
	if s != nil {
		a.up.updates.say(s, r.client.noticeOf("warning", "The agent asked for a permission that cannot be given; the agent was told", rawmsg.MemberText(a.tool, "title")))
	}
}

// codeOf returns the code of an error, or 0.
func codeOf(failure []byte) int64 {
	if len(failure) == 0 || failure[0] != '{' {
		return 0
	}
	code, _, _ := rawmsg.Member(failure, "code")
	n, _ := strconv.ParseInt(string(code), 10, 64) // 0 if it is not a number
	return n
}

// isLost reports whether a prompt failed for the first time because the agent lost its
// session. The caller holds the lock.
func (q *request) isLost(m jsonrpc.Message) bool {
	t := q.up.relay.cfg.Agent.Quirks
	return t != nil && t.Lost != 0 && codeOf(m.Error) == t.Lost && q.again != retried && !q.session.turn.isCancelled()
}

// retry reopens a prompt's session and sends the prompt again. The agent has not acted
// on it, because it does not know the session. The caller holds the lock.
func (q *request) retry() {
	r, s := q.up.relay, q.session
	r.repairs.note(repairLost, "session", s.id)
	q.again, q.sent = retried, false
	s.turn.retry(q)
	s.memory.lost, s.memory.lapse = true, lapsed
	s.attend()
}

// withReason returns the response to a prompt, extended by the reason for the end of
// the turn that the last chunk gave. The caller holds the lock.
func (s *session) withReason(m jsonrpc.Message, reason string, cancelled bool) jsonrpc.Message {
	r := s.relay
	t := r.cfg.Agent.Quirks
	if t == nil {
		return m
	}
	if t.Busy != 0 && codeOf(m.Error) == t.Busy {
		m.Error = failed(protocol.Errorf(protocol.CodeInternal, "%s is still busy with an earlier prompt; wait, or open a new session", r.cfg.Agent.Name))
	}
	if reason == "" {
		return m
	}
	if m.Error == nil && !cancelled && rawmsg.MemberText(objectOf(m.Result), "stopReason") == "refusal" {
		m.Result, m.Error = nil, failed(protocol.Errorf(protocol.CodeInternal, "%s", reason))
		return m
	}
	body := r.client.noticeOf("error", reason, "")
	s.noteUpdate(body, false)
	r.view.Send(updateNotification(s.id, body))
	return m
}

// failed returns err as a response's error, with the code for an agent that failed.
func failed(err *protocol.Error) []byte {
	return rawmsg.Encode(protocol.Wire(err.With("code", "agent_failed")))
}
