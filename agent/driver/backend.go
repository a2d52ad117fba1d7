package driver

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// A Backend is one conversation with an agent. Turn runs in a goroutine of its
// own, one at a time. Confirm, Answer and Cancel are called one after another
// from another goroutine, only for the turn that runs.
type Backend interface {
	// Turn runs one turn until its end. It returns soon after ctx ends: then
	// the turn was abandoned, the session closed, or the turn's terminal event
	// emitted a while ago. An error becomes the turn's end; its text is for the
	// person, and its code that of a [Coded].
	Turn(ctx context.Context, t *Turn) error
	// Confirm passes on what was decided about a [agent.ConfirmationRequested].
	// Its error, like that of Answer, is shown; the turn goes on.
	Confirm(ctx context.Context, r agent.ConfirmationResponse) error
	// Answer passes on the answer to a [agent.QuestionAsked].
	Answer(ctx context.Context, r agent.QuestionResponse) error
	// Cancel asks the agent to stop the turn, and refuses what it waits for:
	// a backend must not leave an approval open.
	Cancel(ctx context.Context, turnID string) error
	// Close frees everything. It is called once, when nothing else runs.
	Close(ctx context.Context) error
}

// Coded is an error that a program can tell apart.
type Coded interface {
	error
	Code() string
}
