package events

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A question waits for its answer.
type question struct {
	event   agent.QuestionAsked // a copy, because the event is reused
	single  bool                // event is the question about the one field of asked
	asked   agent.QuestionAsked // as the agent asked it
	turnID  string
	message string          // the id of the message that asks it, or ""
	asker   *normalize.Tool // the call that asks it; nil if none does
	shown   bool            // it is shown as a tool call of its own, which must end
}

// A reply is what a user answers. The zero reply is none.
type reply struct {
	given    bool // the user has answered
	texts    []string
	values   map[string]agent.Raw // by the names of the fields
	declined bool                 // the user did not want to
	reason   string               // why the user was not asked
}

// inMessage reports whether a is asked in a message, so that the next prompt is
// the answer.
func (a *ask) inMessage() bool { return a.question != nil && a.question.message != "" }

// question asks the user in the best way that the editor supports: a page, a
// form, a permission request with the choices, or a message whose answer is the
// next prompt.
func (s *session) question(step normalize.Step, e *agent.QuestionAsked) {
	q := &question{event: *e, asked: *e, turnID: e.TurnID, asker: step.Tool}
	if s.turn.running {
		q.turnID = s.turn.id
	}
	a := &ask{question: q}
	refusal := e.Refusal
	switch {
	case refusal != "":
	case e.URL != "" && s.peers.client.shows.Page:
		a.send = func() { s.sendPage(a) }
	case e.URL != "":
		refusal = "the editor cannot send the user to a page (it has no elicitation by URL)"
	case s.peers.client.shows.Form:
		a.send = func() { s.sendForm(a) }
	default:
		refusal = s.askPlainly(a, step.MessageID)
	}
	if refusal != "" && e.Refusal == "" && s.turn.running && !s.queue.isCancelled() {
		s.show(normalize.Step{Event: mapv1.CannotAsk(e), MessageID: step.MessageID})
	}
	s.addAsk(a, refusal)
}

// askPlainly prepares a question for an editor without forms. It returns why it
// cannot be asked.
func (s *session) askPlainly(a *ask, messageID string) (refusal string) {
	q := a.question
	if len(q.asked.Fields) > 0 {
		if q.event, q.single = mapv1.Single(&q.asked); !q.single {
			return "the editor has no forms (elicitation), and so can ask for one value at a time that is not secret"
		}
	}
	if choices, ok := mapv1.Choices(&q.event, q.asker, s.children.of(q.asker)); ok {
		a.send = func() { s.sendChoices(a, choices) }
		return ""
	}
	q.message = messageID
	a.send = func() { s.sendMessage(a) }
	return ""
}

func (s *session) sendChoices(a *ask, req v1.RequestPermissionRequest) {
	q := a.question
	if q.asker == nil {
		s.out.update(mapv1.QuestionCall(&q.event))
		q.shown = true
	}
	s.askPermission(a, req, func(answer core.Answer, err error) {
		choice, chosen := mapv1.Chosen(answer.Chosen.ID, &q.event)
		if err != nil || !chosen {
			s.answer(q, reply{})
			return
		}
		s.answer(q, s.inWords(q, []string{choice}))
	})
}

func (s *session) sendForm(a *ask) {
	q := a.question
	form := mapv1.Form(&q.event, s.children.of(q.asker))
	if q.asker != nil {
		form.ToolCallID = q.asker.ID
	}
	var answer v1.ElicitationResponse
	s.askEditor(a, v1.MethodElicitationCreate, form, &answer, func(err error) {
		switch {
		case err != nil || answer.Action != v1.ElicitAccept:
			s.answer(q, reply{declined: err == nil && answer.Action == v1.ElicitDecline})
		case len(q.event.Fields) > 0:
			values, err := mapv1.Values(&q.event, answer.Content)
			s.answer(q, s.checked(values, err))
		default:
			texts, err := answer.Strings(mapv1.AnswerProperty)
			if err != nil {
				s.turn.logger().Warn("a question was answered with nonsense", "error", err)
			}
			texts = mapv1.Answers(&q.event, texts)
			s.answer(q, reply{given: texts != nil, texts: texts})
		}
	})
}

// checked returns the reply with values, or none if they are not what was asked
// for: then the agent is told why.
func (s *session) checked(values map[string]agent.Raw, err error) reply {
	if err != nil {
		s.turn.logger().Warn("a question was answered with nonsense", "error", err)
		return reply{reason: err.Error()}
	}
	return reply{given: true, values: values}
}

// inWords returns the reply for answers in words.
func (s *session) inWords(q *question, texts []string) reply {
	if !q.single || len(texts) == 0 {
		return reply{given: texts != nil, texts: texts}
	}
	values, err := mapv1.FieldValue(&q.asked, texts)
	r := s.checked(values, err)
	r.texts = texts
	return r
}

// sendMessage asks in a message. The prompt is answered after the events that
// arrived with the question are shown; see pause.
func (s *session) sendMessage(a *ask) {
	if len(s.open) > 0 {
		// The prompt must not be answered while another request is open.
		s.deferred = slices.Insert(s.deferred, 0, a)
		return
	}
	s.out.update(mapv1.Ask(&a.question.event, a.question.message))
	s.setPendingQuestion(a)
}

// answer passes the reply to the agent.
func (s *session) answer(q *question, given reply) {
	r := agent.QuestionResponse{
		Type:       agent.CommandQuestion,
		SessionID:  s.peers.id,
		TurnID:     q.turnID,
		QuestionID: q.event.QuestionID,
		Cancelled:  !given.given,
		Declined:   given.declined,
		Reason:     given.reason,
	}
	if given.given {
		r.Answer, r.Values = strings.Join(given.texts, ", "), given.values
		if q.asked.Multiple {
			r.Answers = given.texts
		}
	}
	s.queue.permit(func() { s.peers.agent.Answer(r) }, func() {
		r = r.Refused()
		s.peers.agent.Answer(r)
	})
	s.record.command(withoutSecrets(r, q.asked.Fields))
	if q.shown {
		s.out.update(mapv1.QuestionEnd(&q.event, r.Answer, !r.Cancelled))
	}
}

// setPendingQuestion makes the next prompt the answer to a. With nil, the next
// prompt is an ordinary one.
func (s *session) setPendingQuestion(a *ask) {
	s.pendingQuestion = a
	if a == nil {
		s.queue.ask("")
		return
	}
	s.queue.ask(a.question.turnID)
}

// pause answers the prompt although the agent's turn continues, because editors
// do not let a user write while a prompt runs. The next prompt is the answer.
func (s *session) pause() {
	s.normalizer.Flush(s.step) // no update of this turn may follow its answer
	p := s.queue.pause()
	if p == nil {
		s.refuseAll() // the turn continues to its end
		return
	}
	s.turn.end()
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
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
	s.answer(q, s.inWords(q, values))
}
