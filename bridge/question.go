package bridge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A question is one that waits for its answer.
type question struct {
	event   agent.QuestionAsked // a copy: the event itself is used again
	turnID  string
	message string // its message id, while it waits for another one
	shown   bool   // as a tool call of its own, which has to end
}

// question asks the person in the best way that the editor has: a form, a
// permission request with the choices, or a message whose answer is the next
// prompt.
func (s *session) question(step track.Step, e *agent.QuestionAsked) {
	q := &question{event: *e, turnID: s.turn.id}
	if s.isCancelled() {
		s.answer(q, nil)
		return
	}
	a := &ask{question: q, refuse: func() { s.answer(q, nil) }}
	if s.client.shows.Form {
		s.askForm(a, q)
		return
	}
	req, ok := mapv1.Choices(e, s.id)
	if !ok {
		s.hold(q, step.MessageID)
		return
	}
	s.update(mapv1.QuestionCall(e))
	q.shown = true
	var answer v1.RequestPermissionResponse
	s.open(a, v1.MethodRequestPermission, req, &answer, func(err error) {
		choice, chosen := mapv1.Chosen(answer, &q.event)
		if err != nil || !chosen {
			s.answer(q, nil)
			return
		}
		s.answer(q, []string{choice})
	})
}

func (s *session) askForm(a *ask, q *question) {
	var answer v1.ElicitationResponse
	s.open(a, v1.MethodElicitationCreate, mapv1.Form(&q.event, s.id), &answer, func(err error) {
		if err != nil || answer.Action != "accept" {
			s.answer(q, nil)
			return
		}
		values, err := answer.Strings(mapv1.AnswerProperty)
		if err != nil {
			s.conn.log.Warn("a question was answered with nonsense", "session", s.id, "error", err)
		}
		s.answer(q, mapv1.Answers(&q.event, values))
	})
}

// answer tells the agent; no answer means that the person gave none.
func (s *session) answer(q *question, values []string) {
	if q.shown {
		s.update(mapv1.QuestionEnd(&q.event, strings.Join(values, ", "), values != nil))
	}
	r := agent.QuestionResponse{
		Type:       agent.CommandQuestion,
		SessionID:  s.id,
		TurnID:     q.turnID,
		QuestionID: q.event.QuestionID,
		Answer:     strings.Join(values, ", "),
		Cancelled:  values == nil,
	}
	if q.event.Multiple {
		r.Answers = values
	}
	s.agent.Answer(r)
}

// hold asks in a message. The prompt is answered when what came along with
// the question is shown; see pause. One prompt answers one question: a second
// one is asked when the first is answered.
func (s *session) hold(q *question, messageID string) {
	if s.held != nil {
		q.message = messageID
		s.later = append(s.later, q)
		return
	}
	s.update(mapv1.Ask(&q.event, messageID))
	s.wait(q)
}

// wait has the next prompt be the answer to q, or nil for a prompt again.
func (s *session) wait(q *question) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = q
}

// pause answers the prompt although the agent's turn goes on: no editor lets a
// person write while a prompt runs. The next prompt is the answer.
func (s *session) pause() {
	if s.turn == nil {
		s.wait(nil) // the agent did not wait
		s.later = nil
		return
	}
	s.tracker.Flush(s.step) // nothing of this turn may follow its answer
	s.finish(&agent.Done{})
}

// holdNext asks what had to wait, unless the prompt is cancelled.
func (s *session) holdNext() {
	later := s.later
	s.later = nil
	for i, q := range later {
		if s.isCancelled() {
			s.answer(q, nil)
			continue
		}
		s.hold(q, q.message)
		s.later = later[i+1:]
		s.pause()
		return
	}
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
	s.answer(q, values)
}
