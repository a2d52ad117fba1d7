package bridge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A question is one that waits for its answer.
type question struct {
	event   agent.QuestionAsked // a copy: the event itself is used again
	turnID  string
	message string // the id of the message that asks it; "" where none does
	shown   bool   // as a tool call of its own, which has to end
}

// inMessage reports whether a is asked in a message, and so answered by the
// next prompt.
func (a *ask) inMessage() bool { return a.question != nil && a.question.message != "" }

// question asks the user in the best way that the editor has: a form, a
// permission request with the choices, or a message whose answer is the next
// prompt.
func (s *session) question(step normalize.Step, e *agent.QuestionAsked) {
	q := &question{event: *e, turnID: e.TurnID}
	if s.turn != nil {
		q.turnID = s.turn.id
	}
	a := &ask{question: q}
	choices, ok := mapv1.Choices(&q.event, s.id)
	switch {
	case e.Refusal != "":
	case s.client.shows.Form:
		a.send = func() { s.sendForm(a) }
	case ok:
		a.send = func() { s.sendChoices(a, choices) }
	default:
		q.message = step.MessageID
		a.send = func() { s.sendMessage(a) }
	}
	s.enterAsk(a, e.Refusal)
}

func (s *session) sendChoices(a *ask, req v1.RequestPermissionRequest) {
	q := a.question
	s.update(mapv1.QuestionCall(&q.event))
	q.shown = true
	var answer v1.RequestPermissionResponse
	s.open(a, v1.MethodRequestPermission, req, &answer, func(err error) {
		choice, chosen := mapv1.Chosen(answer, &q.event)
		if err != nil || !chosen {
			s.answer(q, nil, "")
			return
		}
		s.answer(q, []string{choice}, "")
	})
}

func (s *session) sendForm(a *ask) {
	q := a.question
	var answer v1.ElicitationResponse
	s.open(a, v1.MethodElicitationCreate, mapv1.Form(&q.event, s.id), &answer, func(err error) {
		if err != nil || answer.Action != "accept" {
			s.answer(q, nil, "")
			return
		}
		values, err := answer.Strings(mapv1.AnswerProperty)
		if err != nil {
			s.conn.log.Warn("a question was answered with nonsense", "session", s.id, "error", err)
		}
		s.answer(q, mapv1.Answers(&q.event, values), "")
	})
}

// sendMessage asks in a message. The prompt is answered when what came along
// with the question is shown; see pause.
func (s *session) sendMessage(a *ask) {
	if len(s.turn.asks) > 0 {
		// The prompt must not be answered while the editor is asked something.
		s.deferred = slices.Insert(s.deferred, 0, a)
		return
	}
	s.update(mapv1.Ask(&a.question.event, a.question.message))
	s.setPendingQuestion(a)
}

// answer tells the agent; no values mean that the user gave none.
func (s *session) answer(q *question, values []string, reason string) {
	r := agent.QuestionResponse{
		Type:       agent.CommandQuestion,
		SessionID:  s.id,
		TurnID:     q.turnID,
		QuestionID: q.event.QuestionID,
		Answer:     strings.Join(values, ", "),
		Cancelled:  values == nil,
		Reason:     reason,
	}
	if q.event.Multiple {
		r.Answers = values
	}
	s.permit(func() { s.agent.Answer(r) }, func() {
		values = nil
		s.agent.Answer(r.Refused())
	})
	if q.shown {
		s.update(mapv1.QuestionEnd(&q.event, strings.Join(values, ", "), values != nil))
	}
}

// setPendingQuestion has the next prompt be the answer to a, or nil for a prompt again.
func (s *session) setPendingQuestion(a *ask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pendingQuestion = a
}

// pause answers the prompt although the agent's turn goes on: no editor lets a
// user write while a prompt runs. The next prompt is the answer.
func (s *session) pause() {
	s.normalizer.Flush(s.step) // nothing of this turn may follow its answer
	s.mu.Lock()
	p, cancelled := s.current, s.cancelled()
	if !cancelled {
		s.current = nil
	}
	s.mu.Unlock()
	if cancelled {
		s.refuseAll() // the turn goes on to its end
		return
	}
	s.turn = nil
	p.request.reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}

// answerHeld takes a prompt for the answer. A number stands for the choice
// that has it.
func (s *session) answerHeld(q *question, text string) {
	parts := []string{strings.TrimSpace(text)}
	if q.event.Multiple {
		parts = strings.Split(text, ",")
	}
	var values []string
	for _, part := range parts {
		part = strings.TrimSpace(part)
		if n, err := strconv.Atoi(part); err == nil && n >= 1 && n <= len(q.event.Options) {
			part = q.event.Options[n-1]
		}
		if i := slices.IndexFunc(q.event.Options, func(o string) bool { return strings.EqualFold(o, part) }); i >= 0 {
			part = q.event.Options[i]
		}
		if part != "" {
			values = append(values, part)
		}
	}
	s.answer(q, values, "")
}
