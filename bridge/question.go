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

// A question waits for its answer.
type question struct {
	event   agent.QuestionAsked // a copy, because the event is reused
	turnID  string
	message string // the id of the message that asks it, or ""
	shown   bool   // it is shown as a tool call, which must end
}

// inMessage reports whether a is asked in a message, so that the next prompt is
// the answer.
func (a *ask) inMessage() bool { return a.question != nil && a.question.message != "" }

// question asks the user in the best way that the editor supports: a form, a
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
	s.addAsk(a, e.Refusal)
}

func (s *session) sendChoices(a *ask, req v1.RequestPermissionRequest) {
	q := a.question
	s.update(mapv1.QuestionCall(&q.event))
	q.shown = true
	var answer v1.RequestPermissionResponse
	s.askEditor(a, v1.MethodRequestPermission, req, &answer, func(err error) {
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
	s.askEditor(a, v1.MethodElicitationCreate, mapv1.Form(&q.event, s.id), &answer, func(err error) {
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

// sendMessage asks in a message. The prompt is answered after the events that
// arrived with the question are shown; see pause.
func (s *session) sendMessage(a *ask) {
	if len(s.turn.asks) > 0 {
		// The prompt must not be answered while another request is open.
		s.deferred = slices.Insert(s.deferred, 0, a)
		return
	}
	s.update(mapv1.Ask(&a.question.event, a.question.message))
	s.setPendingQuestion(a)
}

// answer passes the answer to the agent. Without values the user has given
// none.
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

// setPendingQuestion makes the next prompt the answer to a. With nil, the next
// prompt is an ordinary one.
func (s *session) setPendingQuestion(a *ask) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pendingQuestion = a
}

// pause answers the prompt although the agent's turn continues, because editors
// do not let a user write while a prompt runs. The next prompt is the answer.
func (s *session) pause() {
	s.normalizer.Flush(s.step) // no update of this turn may follow its answer
	s.mu.Lock()
	p, cancelled := s.current, s.cancelled()
	if !cancelled {
		s.current = nil
	}
	s.mu.Unlock()
	if cancelled {
		s.refuseAll() // the turn continues to its end
		return
	}
	s.turn = nil
	p.request.reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}

// answerPending uses a prompt as the answer. A number selects the choice with
// that number.
func (s *session) answerPending(q *question, text string) {
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
