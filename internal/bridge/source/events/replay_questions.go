package events

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A replayedQuestion is a question and the call that asks it. If no call asks it, the
// question is shown as a separate call.
type replayedQuestion struct {
	event agent.QuestionAsked
	asker string // the call's id, or ""
	at    string // the session that shows it
	shown bool
}

// decided replays the decision about a call. A live client knows it from its own
// response. The call may be missing: a server saves a request for permission before the
// call, and may be killed in between. Its successor saves the decision then.
func (p *replay) decided(data []byte) error {
	made, err := consent.Parse(data)
	if err != nil {
		return err
	}
	if !p.calls[made.Call] {
		return nil
	}
	at := p.children.shows(made.Call)
	p.sendTo(addressed{at, &v1.ToolCallUpdate{ToolCallFields: v1.ToolCallFields{
		ToolCallID: made.Call, Meta: v1.Meta{consent.DecidedBy: made.Summary},
	}}})
	return nil
}

func (p *replay) showQuestion(q *replayedQuestion) {
	if q.shown || q.asker != "" {
		return
	}
	q.shown = true
	p.send(p.withQuestion(acpmap.QuestionCall(&q.event), q, nil))
}

// answer replays the answer to a question.
func (p *replay) answer(r *agent.QuestionResponse) {
	p.asked = slices.DeleteFunc(p.asked, func(q *replayedQuestion) bool {
		if q.event.QuestionID != r.QuestionID {
			return false
		}
		if q.asker != "" {
			u := &v1.ToolCallUpdate{ToolCallFields: v1.ToolCallFields{ToolCallID: q.asker}}
			if p.withQuestion(u, q, r); u.Meta != nil {
				p.sendTo(addressed{q.at, u})
			}
			return true
		}
		p.showQuestion(q)
		p.send(p.withQuestion(acpmap.QuestionEnd(&q.event, acpmap.AnswerText(&q.event, r), !r.Cancelled), q, r))
		return true
	})
}

// withQuestion adds the form, and the answer if there is one, to an update of the
// asking call. An editor with forms can then show the question as a form again.
func (p *replay) withQuestion(u v1.Update, q *replayedQuestion, r *agent.QuestionResponse) v1.Update {
	past, ok := acpmap.NewPastQuestion(&q.event, q.at, q.asker == "")
	if !ok || !p.session.peers.client.shows.Form {
		return u
	}
	if r != nil {
		past = past.Answered(&q.event, r)
	}
	meta := v1.Meta{v1.QuestionMeta: past}
	switch u := u.(type) {
	case *v1.ToolCall:
		u.Meta = meta
	case *v1.ToolCallUpdate:
		u.Meta = meta
	}
	return u
}
