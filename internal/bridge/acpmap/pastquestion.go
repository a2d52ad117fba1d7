package acpmap

import (
	"maps"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A PastQuestion is the value of [v1.QuestionMeta]: the params and the result of
// elicitation/create.
type PastQuestion struct {
	Form v1.ElicitationRequest `json:"form"`
	// Answer is nil until the question is answered, declined or withdrawn.
	Answer *v1.ElicitationResponse `json:"answer,omitempty"`
	// Own is set if the call only represents the question.
	Own bool `json:"own,omitempty"`
}

// NewPastQuestion returns a question that can be shown as a form. ok is false if the
// question sent the user to a page.
func NewPastQuestion(e *agent.QuestionAsked, sessionID string, own bool) (q PastQuestion, ok bool) {
	if e.URL != "" {
		return q, false
	}
	return PastQuestion{Form: Form(e, sessionID), Own: own}, true
}

// Answered returns the question with its answer.
func (q PastQuestion) Answered(e *agent.QuestionAsked, r *agent.QuestionResponse) PastQuestion {
	a := &v1.ElicitationResponse{Action: v1.ElicitAccept}
	switch {
	case r.Declined:
		a.Action = v1.ElicitDecline
	case r.Cancelled:
		a.Action = v1.ElicitCancel
	case len(e.Fields) > 0:
		a.Content = maps.Collect(maps.All(r.Values))
	default:
		a.Content = formContent(e, r)
	}
	q.Answer = a
	return q
}

// StopUpdate returns an update that reports an unusual end of a turn, or nil if the
// turn ended normally or failed. A live client knows the end from the prompt's
// response.
func StopUpdate(end agent.Event) v1.Update {
	stop, err := Stop(end)
	if err != nil || stop == v1.StopEndTurn {
		return nil
	}
	return &v1.SessionInfoUpdate{Meta: v1.Meta{v1.StopMeta: stop}}
}
