package events

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// questions handle a session's questions to the user. They belong to the session's
// goroutine.
type questions struct {
	pending *pendingRequests
	peers   *peers
	queue   *queue
	turn    *turn
	out     *output
	record  *record
	show    func(normalize.Step) // shows one of our own steps
	pages   pages
}

// A question is a pending question to the user.
type question struct {
	all     *questions
	event   agent.QuestionAsked // a copy, because the event is reused
	single  bool                // event asks for the only field of asked
	asked   agent.QuestionAsked // as the agent asked it
	turnID  string
	message string          // the id of the message that asks the question, or ""
	asker   *normalize.Tool // the call that asks the question; may be nil
	shown   bool            // it is shown as a separate tool call, which must be ended
}

// A reply is a user's answer. The zero reply means no answer.
type reply struct {
	given    bool // the user answered
	texts    []string
	values   map[string]agent.Raw // by field name
	declined bool                 // the user declined to answer
	reason   string               // why the user was not asked
}

// add asks the user in the best way that the editor supports. In order of preference,
// it uses a page, a form, a permission request with the choices, or a message that the
// next prompt answers.
func (qs *questions) add(step normalize.Step, e *agent.QuestionAsked) {
	q := &question{all: qs, event: *e, asked: *e, turnID: e.TurnID, asker: step.Tool}
	if qs.turn.running {
		q.turnID = qs.turn.id
	}
	a := &pendingRequest{kind: q}
	refusal := e.Refusal
	switch {
	case refusal != "":
	case e.URL != "" && qs.peers.client.shows.Page:
		a.send = func() { qs.sendPage(a, q) }
	case e.URL != "":
		refusal = "the editor cannot open a page for the user (it does not support URL elicitation)"
	case qs.peers.client.shows.Form:
		a.send = func() { qs.sendForm(a, q) }
	default:
		refusal = qs.askPlainly(a, q, step.MessageID)
	}
	if refusal != "" && e.Refusal == "" && qs.turn.running && !qs.queue.isCancelled() {
		qs.show(normalize.Step{Event: acpmap.CannotAsk(e), MessageID: step.MessageID})
	}
	qs.pending.add(a, refusal)
}

// askPlainly prepares a question for an editor without forms. If the question cannot be
// asked, it returns why.
func (qs *questions) askPlainly(a *pendingRequest, q *question, messageID string) (refusal string) {
	if len(q.asked.Fields) > 0 {
		if q.event, q.single = acpmap.Single(&q.asked); !q.single {
			return "the editor does not support forms (elicitation), so it can only ask for one value at a time, and none that is secret"
		}
	}
	if choices, ok := acpmap.Choices(&q.event, q.asker, qs.out.sessionOf(q.asker)); ok {
		a.send = func() { qs.sendChoices(a, q, choices) }
		return ""
	}
	q.message, a.inMessage = messageID, messageID != ""
	a.send = func() { qs.sendMessage(a, q) }
	return ""
}

func (qs *questions) sendChoices(a *pendingRequest, q *question, req v1.RequestPermissionRequest) {
	if q.asker == nil {
		qs.out.update(acpmap.QuestionCall(&q.event))
		q.shown = true
	}
	qs.pending.permission(a, req, func(answer core.Answer, err error) {
		choice, chosen := acpmap.Chosen(answer.Chosen.ID, &q.event)
		if err != nil || !chosen {
			qs.answer(q, reply{})
			return
		}
		qs.answer(q, qs.inWords(q, []string{choice}))
	})
}

func (qs *questions) sendForm(a *pendingRequest, q *question) {
	form := acpmap.Form(&q.event, qs.out.sessionOf(q.asker))
	if q.asker != nil {
		form.ToolCallID = q.asker.ID
	}
	var answer v1.ElicitationResponse
	qs.pending.editor(a, v1.MethodElicitationCreate, form, &answer, func(err error) {
		switch {
		case err != nil || answer.Action != v1.ElicitAccept:
			qs.answer(q, reply{declined: err == nil && answer.Action == v1.ElicitDecline})
		case len(q.event.Fields) > 0:
			values, err := acpmap.Values(&q.event, answer.Content)
			qs.answer(q, qs.checked(values, err))
		default:
			texts, err := acpmap.FormAnswer(&q.event, &answer)
			if err != nil {
				qs.turn.logger().Warn("malformed answer to a question", "error", err)
			}
			qs.answer(q, reply{given: texts != nil, texts: texts})
		}
	})
}

// checked returns a reply with the values. If err is set, the values don't fit the
// question; then the reply is empty and gives the reason.
func (qs *questions) checked(values map[string]agent.Raw, err error) reply {
	if err != nil {
		qs.turn.logger().Warn("malformed answer to a question", "error", err)
		return reply{reason: err.Error()}
	}
	return reply{given: true, values: values}
}

// inWords returns the reply for answers given as text.
func (qs *questions) inWords(q *question, texts []string) reply {
	if !q.single || len(texts) == 0 {
		return reply{given: texts != nil, texts: texts}
	}
	values, err := acpmap.FieldValue(&q.asked, texts)
	r := qs.checked(values, err)
	r.texts = texts
	return r
}

// sendMessage asks in a message. The prompt is answered after the events that arrived
// with the question are shown; see [session.pause].
func (qs *questions) sendMessage(a *pendingRequest, q *question) {
	qs.pending.message(a, q.turnID, func() { qs.out.update(acpmap.QuestionMessage(&q.event, q.message)) })
}

// answer passes the reply to the agent.
func (qs *questions) answer(q *question, given reply) {
	r := agent.QuestionResponse{
		Type:       agent.CommandQuestion,
		SessionID:  qs.peers.id,
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
	qs.queue.permit(func() { qs.peers.agent.Answer(r) }, func() {
		r = r.Refused()
		qs.peers.agent.Answer(r)
	})
	qs.record.command(withoutSecrets(r, q.asked.Fields))
	if q.shown {
		qs.out.update(acpmap.QuestionEnd(&q.event, r.Answer, !r.Cancelled))
	}
}

// withoutSecrets returns the response without secret values, for the journal: nobody
// expects to find the input of a password field in a file.
func withoutSecrets(r agent.QuestionResponse, fields []agent.Field) agent.QuestionResponse {
	r.Values = maps.Clone(r.Values)
	for _, f := range fields {
		if f.Secret {
			delete(r.Values, f.Name)
		}
	}
	return r
}

// answerIn answers the question with a prompt's text. A number selects the choice with
// that number.
func (q *question) answerIn(text string) {
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
	q.all.answer(q, q.all.inWords(q, values))
}

// refuse implements [askKind].
func (q *question) refuse(reason string) { q.all.answer(q, reply{reason: reason}) }

// ambiguous implements [askKind].
func (q *question) ambiguous(kind askKind) bool {
	other, ok := kind.(*question)
	return ok && q.event.QuestionID == other.event.QuestionID
}

// settledBy implements [askKind].
func (q *question) settledBy(step normalize.Step) bool {
	e, ok := step.Event.(*agent.QuestionAnswered)
	return ok && q.event.QuestionID == e.QuestionID
}

// settled implements [askKind].
func (q *question) settled(step normalize.Step) {
	if e, ok := step.Event.(*agent.QuestionAnswered); ok && q.shown {
		q.all.out.update(acpmap.QuestionEnd(&q.event, e.Answer, !e.Cancelled))
	}
}
