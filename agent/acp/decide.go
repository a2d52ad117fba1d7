package acp

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// confirm answers a permission request with the option that the user chose, or
// with the first that stands for what was decided. Where the agent offers none,
// nobody has decided; nor has anybody where the answer may be one to several
// requests.
func (l *conn) confirm(r agent.ConfirmationResponse) error {
	taken := l.asks.take(r.ConfirmationID, r.ToolCallID)
	for _, a := range taken {
		answer := a.refusal()
		chosen := slices.IndexFunc(a.offers, func(o offer) bool {
			return o.decision == r.Decision && (r.OptionID == "" || r.OptionID == o.id)
		})
		if chosen >= 0 && len(taken) == 1 {
			answer = v1.RequestPermissionResponse{Outcome: v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: a.offers[chosen].id}}
		}
		l.decide(a, answer, r.Decision.Allows())
	}
	return nil
}

// answer answers a form.
func (l *conn) answer(r agent.QuestionResponse) error {
	for _, a := range l.asks.take(r.QuestionID, "") {
		if a.form == nil {
			l.rpc.Respond(a.id, a.refusal()) // an answer to something else
			continue
		}
		l.decide(a, a.form.result(r), !r.Cancelled)
	}
	return nil
}

// decide answers a request as the user decided. What permits something is
// made a refusal where the turn is cancelled before it is written.
func (l *conn) decide(a *ask, answer any, permits bool) {
	if !permits {
		l.rpc.Respond(a.id, answer)
		return
	}
	l.rpc.Permit(a.id, answer, a.refusal(), a.cancelled)
}
