package requests

import "github.com/turnwire/turnwire/agent"

// A Request is a confirmation or a question that a server waits for.
type Request struct {
	Question bool   // not a confirmation
	ID       string // unique among the confirmations, or among the questions
	Call     string // the id of the call that needs the confirmation
}

// same reports whether q and o have the same identity.
func (q Request) same(o Request) bool { return q.Question == o.Question && q.ID == o.ID }

// An Answer is what the server must be told about a request.
type Answer struct {
	Request
	Confirmation agent.ConfirmationResponse // to a confirmation
	Response     agent.QuestionResponse     // to a question
}

// Refusal returns the answer that refuses a request. reason may be empty.
func (q Request) Refusal(reason string) Answer {
	return Answer{
		Request:      q,
		Confirmation: agent.ConfirmationResponse{ConfirmationID: q.ID, ToolCallID: q.Call, Decision: agent.NotDecided, Reason: reason},
		Response:     agent.QuestionResponse{QuestionID: q.ID, Cancelled: true, Reason: reason},
	}
}

// Allows reports whether the answer lets the agent do something.
func (a Answer) Allows() bool {
	if a.Question {
		return !a.Response.Cancelled
	}
	return a.Confirmation.Decision.Allows()
}

// A stage is the progress of a request.
type stage int

const (
	open      stage = iota // undecided
	deferred               // decided, but the server does not accept the answer yet
	underway               // an answer is being sent
	refusable              // the answer may not have arrived: only a refusal may follow it
	settled                // it was answered, here or elsewhere
)

// pending is a request with its stage.
type pending struct {
	Request
	stage stage
}
