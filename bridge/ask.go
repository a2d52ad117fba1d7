package bridge

import (
	"context"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
)

// maxAsks is how much an editor is asked at once. Then the agent's events wait,
// and with them what it would ask next.
const maxAsks = 128

// An ask is something that the agent waits for: a confirmation or a question.
// It belongs to the session's goroutine, and gets exactly one answer. It is in
// turn.asks while the editor is asked, and in session.deferred before that.
type ask struct {
	confirmation *confirmation
	question     *question
	send         func() // asks the editor, once it is the ask's turn
	withdraw     func() // takes back what the editor is asked
}

// refuse tells the agent that nobody decided, and why where nobody was asked.
func (s *session) refuse(a *ask, reason string) {
	if reason != "" {
		s.conn.log.Warn("refused what the agent asked", "session", s.id, "reason", reason)
	}
	if a.confirmation != nil {
		s.respond(a.confirmation, agent.NotDecided, reason)
		return
	}
	s.answer(a.question, nil, reason)
}

// permit passes on an answer of the user. Where the turn was cancelled it calls
// refuse in the place of allow. The reader enters cancels under the same lock,
// and tells the agent there: whatever allows is at the agent before the cancel,
// or never.
func (s *session) permit(allow, refuse func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancelled() {
		refuse()
		return
	}
	allow()
}

// enterAsk asks the editor, now or when it can be. What cannot be asked is
// refused.
func (s *session) enterAsk(a *ask, refusal string) {
	if refusal == "" && s.turn == nil {
		refusal = "no prompt is waiting for its answer"
	}
	if refusal == "" {
		if other := s.ambiguous(a); other != nil {
			refusal = "two open requests could claim one answer: they need ids of their own"
			s.remove(other)
			if other.withdraw != nil {
				other.withdraw()
			}
			s.refuse(other, refusal)
		}
	}
	switch {
	case refusal != "":
		s.refuse(a, refusal)
	case s.isCancelled():
		s.refuse(a, "")
	case s.pendingQuestion != nil:
		s.deferred = append(s.deferred, a) // the next prompt answers that
	default:
		a.send()
	}
}

// ambiguous returns an ask that waits and that could claim the answer to a.
func (s *session) ambiguous(a *ask) *ask {
	for _, other := range s.waiting() {
		switch {
		case a.confirmation != nil && other.confirmation != nil && a.confirmation.ambiguous(other.confirmation),
			a.question != nil && other.question != nil && a.question.event.QuestionID == other.question.event.QuestionID:
			return other
		}
	}
	return nil
}

// waiting are all that wait for an answer.
func (s *session) waiting() []*ask {
	var all []*ask
	if s.turn != nil {
		all = slices.Clone(s.turn.asks)
	}
	if s.pendingQuestion != nil {
		all = append(all, s.pendingQuestion)
	}
	return append(all, s.deferred...)
}

// open asks the editor, waits for the answer in a goroutine, and has answered
// run by the session's goroutine with the outcome, unless the ask was settled
// before.
func (s *session) open(a *ask, method string, params any, result any, answered func(err error)) {
	out, err := s.conn.calls.start(s.rpc, method, params)
	if err != nil {
		answered(err)
		return
	}
	ctx, cancel := context.WithCancel(s.conn.ctx)
	a.withdraw = func() {
		s.sent(out.withdraw())
		cancel()
	}
	s.turn.asks = append(s.turn.asks, a)
	go func() {
		defer cancel()
		err := out.wait(ctx, result)
		s.enqueue(func() {
			if s.remove(a) {
				answered(err)
				s.sendDeferred()
			}
		})
	}()
}

// asksEnough reports whether the editor has enough to answer.
func (s *session) asksEnough() bool { return s.turn != nil && len(s.turn.asks) >= maxAsks }

// remove takes an ask out of those that wait, and reports whether it was one.
func (s *session) remove(a *ask) bool {
	if s.turn != nil {
		if i := slices.Index(s.turn.asks, a); i >= 0 {
			s.turn.asks = slices.Delete(s.turn.asks, i, i+1)
			return true
		}
	}
	if i := slices.Index(s.deferred, a); i >= 0 {
		s.deferred = slices.Delete(s.deferred, i, i+1)
		return true
	}
	if s.pendingQuestion == a && a != nil {
		s.setPendingQuestion(nil)
		return true
	}
	return false
}

// sendDeferred asks what had to wait. A question in a message ends the prompt,
// so it waits until nothing else is asked, and all others wait for its answer.
func (s *session) sendDeferred() {
	for s.turn != nil && s.pendingQuestion == nil && len(s.deferred) > 0 && !s.isCancelled() {
		a := s.deferred[0]
		if a.inMessage() && len(s.turn.asks) > 0 {
			return
		}
		s.deferred = slices.Delete(s.deferred, 0, 1)
		a.send()
	}
}

// refuseAll takes back what the editor is asked, and refuses all that waits.
func (s *session) refuseAll() {
	all := s.waiting()
	if s.turn != nil {
		s.turn.asks = nil
	}
	s.deferred = nil
	s.setPendingQuestion(nil)
	for _, a := range all {
		if a.withdraw != nil {
			a.withdraw()
		}
		s.refuse(a, "")
	}
}

// settle takes back what the agent does not wait for any more, and refuses what
// is about a call that was ended for it.
func (s *session) settle(step normalize.Step) {
	for _, a := range s.waiting() {
		if !a.settledBy(step) || !s.remove(a) {
			continue
		}
		if a.withdraw != nil {
			a.withdraw()
		}
		if step.Closed {
			s.refuse(a, "the call was ended before anybody had decided")
		}
		if e, ok := step.Event.(*agent.QuestionAnswered); ok && a.question.shown {
			s.update(mapv1.QuestionEnd(&a.question.event, e.Answer, !e.Cancelled))
		}
	}
	s.sendDeferred()
}

// settledBy reports whether a step says that nobody waits for a any more.
func (a *ask) settledBy(step normalize.Step) bool {
	switch e := step.Event.(type) {
	case *agent.QuestionAnswered:
		return a.question != nil && a.question.event.QuestionID == e.QuestionID
	case *agent.ConfirmationResolved:
		if e.ConfirmationID != "" {
			return a.confirmation != nil && a.confirmation.id == e.ConfirmationID
		}
	}
	return a.confirmation != nil && a.confirmation.tool == step.Tool
}
