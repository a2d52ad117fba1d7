package turns

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
	//
	// Where it permits something ctx ends with the cancel of the turn. What the
	// agent may not have got by then must never reach it: Cancel refuses what it
	// was about, and so does what follows.
	Confirm(ctx context.Context, r agent.ConfirmationResponse) error
	// Answer passes on the answer to a [agent.QuestionAsked].
	Answer(ctx context.Context, r agent.QuestionResponse) error
	// Cancel asks the agent to stop the turn, and refuses what it waits for:
	// a backend must not leave an approval open. It comes before the decisions
	// that wait to be passed on, and behind it all of them are refusals.
	Cancel(ctx context.Context, turnID string) error
	// Close frees everything. It is called once, when nothing else runs.
	Close(ctx context.Context) error
}

// A Configurable is a Backend whose agent has options that can be set.
type Configurable interface {
	Backend
	// Announce runs beside the turns until ctx ends. It says what the agent has
	// said of the session and of no turn; say waits while nobody takes it, and
	// false means that nobody will.
	Announce(ctx context.Context, say func(agent.Event) bool)
	// Configure passes on what was chosen, beside all others but itself. Its
	// error is the refusal. What is set then is told by an event.
	Configure(ctx context.Context, o agent.SetOption) error
}

// Coded is an error that a program can tell apart.
type Coded interface {
	error
	Code() string
}
