package events

import (
	"cmp"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxAsks bounds what an editor is asked at the same time. Beyond it the
// session stops taking the agent's events, and with them further questions.
const maxAsks = 128

// lateGrace bounds how long the answer to a request that was withdrawn is waited
// for, where what the editor has done has to be undone.
const lateGrace = time.Minute

// An ask is a confirmation, a question or something that the editor is to do, for
// which the agent waits. It belongs
// to the session's goroutine, and gets exactly one answer. It is in session.open
// after it was sent to the editor, and in session.deferred before that.
type ask struct {
	confirmation *confirmation
	question     *question
	editor       *editorRequest
	send         func() // sends the request to the editor
	withdraw     func() // withdraws the request to the editor
	frees        bool   // it stops or frees something, so it is sent after a cancel too, and never withdrawn
	late         func() // called if the editor does it although that was withdrawn; nil for nothing
}

// turnCancelled is why nobody has answered when no other reason is given.
const turnCancelled = "the turn was cancelled or has ended"

// refuse tells the agent that there is no decision, and gives the reason if the
// user was not asked.
func (s *session) refuse(a *ask, reason string) {
	if reason != "" {
		s.turn.logger().Warn("refused what the agent asked", "reason", reason)
	}
	if a.editor != nil {
		if reason == "" {
			reason = turnCancelled
		}
		s.respondEditor(a.editor, agent.EditorResponse{Error: reason})
		return
	}
	if a.confirmation != nil {
		s.respond(a.confirmation, consent.Option{}, reason, s.undecided(a.confirmation, cmp.Or(reason, turnCancelled)))
		return
	}
	s.answer(a.question, reply{reason: reason})
}

// addAsk sends an ask to the editor, now or later. It refuses one that cannot
// be sent.
func (s *session) addAsk(a *ask, refusal string) {
	if refusal == "" && !s.turn.running {
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
	case s.queue.isCancelled() && !a.frees:
		s.refuse(a, "")
	case s.pendingQuestion != nil && !a.frees:
		s.deferred = append(s.deferred, a) // the next prompt answers the pending question
	default:
		a.send()
	}
}

// ambiguous returns a waiting ask that could claim the answer to a.
func (s *session) ambiguous(a *ask) *ask {
	for _, other := range s.waiting() {
		switch {
		case a.confirmation != nil && other.confirmation != nil && a.confirmation.ambiguous(other.confirmation),
			a.editor != nil && other.editor != nil && a.editor.id == other.editor.id,
			a.question != nil && other.question != nil && a.question.event.QuestionID == other.question.event.QuestionID:
			return other
		}
	}
	return nil
}

// waiting returns all asks that wait for an answer.
func (s *session) waiting() []*ask {
	all := slices.Clone(s.open)
	if s.pendingQuestion != nil {
		all = append(all, s.pendingQuestion)
	}
	return append(all, s.deferred...)
}

// askEditor asks the editor. When the answer is there, the session's goroutine decodes
// it into result and calls answered, unless the ask was settled before.
func (s *session) askEditor(a *ask, method string, params any, result any, answered func(err error)) {
	asked := &core.Ask{Session: s.peers.id, Method: method, Params: v1.AppendValue(nil, params)}
	s.ask(a, asked, result, func(_ core.Answer, err error) { answered(err) })
}

// askPermission is askEditor for a request for permission.
func (s *session) askPermission(a *ask, req v1.RequestPermissionRequest, answered func(answer core.Answer, err error)) {
	asked := &core.Ask{Session: s.peers.id, Method: v1.MethodRequestPermission, Params: v1.AppendValue(nil, req), Offered: offered(req.Options)}
	s.ask(a, asked, nil, answered)
}

// offered are the options of a request for permission.
func offered(options []v1.PermissionOption) []consent.Option {
	all := make([]consent.Option, len(options))
	for i, o := range options {
		all[i] = consent.Option{ID: o.OptionID, Kind: string(o.Kind), Name: o.Name}
	}
	return all
}

func (s *session) ask(a *ask, asked *core.Ask, result any, answered func(answer core.Answer, err error)) {
	view := s.peers.view
	asked.Answered = func(answer core.Answer) {
		s.loop.add(func() {
			err := answer.Decode(result)
			switch {
			case s.remove(a):
				answered(answer, err)
				s.sendDeferred()
			case err == nil && a.late != nil:
				a.late()
			}
		})
	}
	if err := view.Ask(asked); err != nil {
		answered(core.Answer{}, err)
		return
	}
	a.withdraw = func() {
		if !a.frees {
			view.Withdraw(asked)
		}
		if a.late == nil {
			view.Forget(asked)
			return
		}
		time.AfterFunc(lateGrace, func() { view.Forget(asked) })
	}
	s.open = append(s.open, a)
	s.turn.said = true
}

// hasMaxAsks reports whether maxAsks is reached.
func (s *session) hasMaxAsks() bool { return len(s.open) >= maxAsks }

// remove removes an ask from those that wait, and reports whether it was one of
// them.
func (s *session) remove(a *ask) bool {
	if i := slices.Index(s.open, a); i >= 0 {
		s.open = slices.Delete(s.open, i, i+1)
		return true
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

// sendDeferred sends deferred asks. A question in a message ends the prompt, so
// it waits until no other request is open, and all others wait for its answer.
func (s *session) sendDeferred() {
	for s.turn.running && s.pendingQuestion == nil && len(s.deferred) > 0 && !s.queue.isCancelled() {
		a := s.deferred[0]
		if a.inMessage() && len(s.open) > 0 {
			return
		}
		s.deferred = slices.Delete(s.deferred, 0, 1)
		a.send()
	}
}

// refuseAll withdraws all open requests and refuses all waiting asks.
func (s *session) refuseAll() {
	all := s.waiting()
	s.open, s.deferred = nil, nil
	s.setPendingQuestion(nil)
	for _, a := range all {
		if a.withdraw != nil {
			a.withdraw()
		}
		s.refuse(a, "")
	}
}

// settle withdraws the asks for which the agent no longer waits. It refuses
// those about a call that was closed on the agent's behalf.
func (s *session) settle(step normalize.Step) {
	if e, ok := step.Event.(*agent.QuestionAnswered); ok {
		s.leavePage(e.QuestionID)
	}
	for _, a := range s.waiting() {
		if !a.settledBy(step) || !s.remove(a) {
			continue
		}
		if a.withdraw != nil {
			a.withdraw()
		}
		if step.Closed {
			s.refuse(a, "the call was ended before there was a decision")
		} else if a.confirmation != nil {
			s.note(s.undecided(a.confirmation, "the agent does not wait for the decision any more"))
		}
		if e, ok := step.Event.(*agent.QuestionAnswered); ok && a.question != nil && a.question.shown {
			s.out.update(mapv1.QuestionEnd(&a.question.event, e.Answer, !e.Cancelled))
		}
	}
	s.sendDeferred()
}

// settledBy reports whether a step says that the agent no longer waits for a.
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
