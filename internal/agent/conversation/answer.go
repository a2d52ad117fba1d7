package conversation

import "github.com/turnwire/turnwire/agent"

// An Answer is the user's answer to a request: a decision or a response.
type Answer struct {
	Decision agent.ConfirmationResponse // without a decision, it is a response
	Response agent.QuestionResponse
}

// IsCancelled reports whether the user didn't answer.
func (a Answer) IsCancelled() bool {
	return a.Response.Cancelled || a.Decision.Decision != "" && !a.Decision.Decision.Known()
}

// Allows reports whether it is a decision that permits something.
func (a Answer) Allows() bool { return a.Decision.Decision.Allows() }
