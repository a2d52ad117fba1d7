package lifecycle

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// A Runner is the common part of all backends: one conversation with an agent.
type Runner interface {
	// Turn runs one turn until its end, in its own goroutine, one at a time. It
	// returns soon after ctx ends, which means that the turn was abandoned, the
	// session closed, or the terminal event emitted a while ago. An error ends
	// the turn: its text is shown to the user, and its code is that of a [Coded]
	// error.
	Turn(ctx context.Context, t *Turn) error
	// Close frees all resources. It is called once, when no turn is running any
	// more.
	Close(ctx context.Context) error
}

// A Backend delivers decisions through calls. Confirm, Answer and Cancel are
// called one after another, from another goroutine than Turn, and only for the
// running turn.
type Backend interface {
	Runner
	// Confirm delivers the decision about an [agent.ConfirmationRequested]. Its
	// error, like that of Answer, is shown to the user; the turn continues.
	//
	// If the decision permits something, ctx ends when the turn is cancelled. A
	// permission that the agent may not have received by then must never reach
	// it: Cancel refuses the request, and so does the refusal that follows.
	Confirm(ctx context.Context, r agent.ConfirmationResponse) error
	// Answer delivers the answer to an [agent.QuestionAsked].
	Answer(ctx context.Context, r agent.QuestionResponse) error
	// Cancel asks the agent to stop the turn, and refuses its pending requests:
	// a backend must not leave an approval open. Cancel overtakes queued
	// decisions; after it, all of them are refusals.
	Cancel(ctx context.Context, turnID string) error
}

// A Configurable is a Backend whose agent has options that can be set.
type Configurable interface {
	Backend
	// Announce runs concurrently with turns until ctx ends. It emits events
	// about the session that belong to no turn. say blocks until its event is
	// received, and returns false if nobody will receive it.
	Announce(ctx context.Context, say func(agent.Event) bool)
	// Configure sets an option. Calls may overlap with all other methods, but
	// not with each other. An error refuses the choice. On success, an event
	// reports the new value.
	Configure(ctx context.Context, o agent.SetOption) error
}

// A Steerable is a Backend whose agent accepts messages while a turn runs.
type Steerable interface {
	Backend
	// Steer delivers a message. It is called like Confirm. After an error, the
	// message becomes the next prompt.
	Steer(ctx context.Context, text string) error
}

// A LineBackend is a backend whose agent reads commands as lines. The agent's
// events arrive through a [Stream].
type LineBackend interface {
	Runner
	// Send queues a command for the agent, and never blocks. It is called
	// immediately, during and between turns. An error means that the agent's
	// reaction would reach nobody.
	Send(c Command) error
}

// A Starter is a LineBackend whose agent is started before its first turn.
type Starter interface {
	LineBackend
	// Start starts the agent, whose events go to stream. It is called once,
	// before all other methods, and does not wait for the agent.
	Start(stream *Stream) error
	// Introduced is closed when there is no reason to delay the first turn any
	// longer. It is called after Start.
	Introduced() <-chan struct{}
}

// A Command is what a [LineBackend] sends to its agent: an [agent.Cancel], an
// [agent.SetOption], an [agent.Steer] or an answer.
type Command struct {
	TurnID string // "" for an option
	Line   any    // encodes as JSON
	// Refusal replaces Line, unless Line is already written when Cancelled is
	// closed. It is nil if Line permits nothing.
	Refusal   any
	Cancelled <-chan struct{}
}

// Coded is an error with a code for programs.
type Coded interface {
	error
	Code() string
}
