package relay

import (
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// staleLimit is how long a prompt waits for the end of the previous, cancelled turn.
const staleLimit = 30 * time.Second

// serverGrace replaces the cancel grace for a server that is itself Turnwire. Such a
// server answers on its agent's behalf after its own cancel grace, so this limit only
// applies if the server is unreachable.
const serverGrace = 30 * time.Second

// cancel cancels the turn: from here on, nothing in it is permitted. Between turns, it refuses
// what the agent has asked. The caller holds the lock.
func (s *session) cancel() {
	r := s.relay
	for _, q := range s.turn.unsent() {
		r.requests.reply(q, cancelledPrompt)
	}
	if !s.turn.isRunning() {
		s.withdraw()
		return
	}
	if s.turn.isCancelled() {
		return
	}
	close(s.turn.cancelled)
	s.withdraw()
	turn, grace := s.turn.cancelled, r.cfg.CancelGrace
	if s.up != nil && s.up.handshake.able.shared {
		grace = serverGrace
	}
	time.AfterFunc(grace, func() { s.abandon(turn) })
}

// abandon answers the prompts of a cancelled turn if the agent didn't.
func (s *session) abandon(turn chan struct{}) {
	r := s.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.turn.cancelled != turn || !s.turn.isRunning() || r.ending || s.memory.lost {
		return
	}
	r.log.Info("the agent did not end a cancelled turn in time", "session", s.id)
	s.endTurn()
	s.attend()
}

// endTurn ends the calls and answers the prompts of a cancelled turn on the agent's behalf. The
// caller holds the lock.
func (s *session) endTurn() {
	if s.turn.isRunning() {
		s.turn.gate.Store(true)
	}
	for _, n := range s.closeCalls() {
		s.relay.view.Send(n)
	}
	for _, q := range s.turn.abandon() {
		s.relay.requests.reply(q, cancelledPrompt)
	}
}

// attend ensures that the requests queued for a session are eventually handled. The
// caller holds the lock.
func (s *session) attend() {
	r := s.relay
	switch {
	case s.memory.lost && !s.memory.opening:
		s.memory.opening = true
		r.work.Go(s.reopen)
	case s.turn.stale > 0 && len(s.turn.queue) > 0:
		q := s.turn.queue[0]
		time.AfterFunc(staleLimit, func() { s.giveUp(q) })
	}
}

// giveUp kills an agent that has not ended a cancelled turn for a long time, unless
// other sessions need it.
func (s *session) giveUp(q *request) {
	r := s.relay
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.turn.stale == 0 || len(s.turn.queue) == 0 || s.turn.queue[0] != q || s.memory.lost || r.ending {
		return
	}
	for _, other := range r.sessions {
		if other != s && other.up == s.up && other.turn.isRunning() {
			r.requests.fail(q, protocol.Errorf(protocol.CodeInternal, "%s did not end the cancelled turn", r.cfg.Agent.reachedAs()))
			return
		}
	}
	r.log.Warn("restarting the agent because it does not end a cancelled turn", "session", s.id)
	s.up.transport.Kill()
}

// cancelRequest passes on that the client no longer waits for an answer. The caller
// holds the lock.
func (r *relay) cancelRequest(q *request) {
	if !r.requests.waits(q) || q.serving {
		return
	}
	if !q.sent {
		r.requests.fail(q, protocol.Errorf(protocol.CodeRequestCancelled, "the request was cancelled"))
		return
	}
	if q.isPrompt() && q.session != nil && r.client.mends() {
		q.session.cancel()
	}
	about := append(strconv.AppendInt([]byte(`{"requestId":`), q.number, 10), '}')
	q.up.enqueue(rawmsg.Request(nil, v1.MethodCancelRequest, about))
}
