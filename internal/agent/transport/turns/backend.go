package turns

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// A Runner is what every backend is: one conversation with an agent.
type Runner interface {
	// Turn runs one turn until its end, in a goroutine of its own, one at a
	// time. It returns soon after ctx ends: then the turn was abandoned, the
	// session closed, or the turn's terminal event emitted a while ago. An error
	// becomes the turn's end; its text is for the user, and its code that of a
	// [Coded].
	Turn(ctx context.Context, t *Turn) error
	// Close frees everything. It is called once, when no turn runs any more.
	Close(ctx context.Context) error
}

// A Backend passes decisions on by calls. Confirm, Answer and Cancel are called
// one after another from another goroutine than Turn, only for the turn that
// runs.
type Backend interface {
	Runner
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
	// that wait to be passed on, and after it all of them are refusals.
	Cancel(ctx context.Context, turnID string) error
}

// A Configurable is a Backend whose agent has options that can be set.
type Configurable interface {
	Backend
	// Announce runs beside the turns until ctx ends. It says what the agent has
	// said of the session and of no turn; say waits until it is received, and
	// false means that nobody will receive it.
	Announce(ctx context.Context, say func(agent.Event) bool)
	// Configure passes on what was chosen, beside all others but itself. Its
	// error is the refusal. What is set then is told by an event.
	Configure(ctx context.Context, o agent.SetOption) error
}

// A Steerable is a Backend whose agent takes advice while a turn runs.
type Steerable interface {
	Backend
	// Steer passes advice on. It is called like Confirm; its error is shown, and
	// the turn goes on.
	Steer(ctx context.Context, text string) error
}

// A LineBackend is one whose agent reads commands as lines. What its agent says
// comes through a [Stream].
type LineBackend interface {
	Runner
	// Send queues a command for the agent, and never blocks. It is called at
	// once, within turns and between them. The error says that nobody would
	// hear what the agent does with it.
	Send(c Command) error
}

// A Starter is a LineBackend whose agent is started before its first turn.
type Starter interface {
	LineBackend
	// Start starts the agent, which speaks through stream. It is called once,
	// before all other methods, and does not wait for the agent.
	Start(stream *Stream) error
	// Introduced is closed when nothing more is to be waited for before the
	// first turn. It is called after Start.
	Introduced() <-chan struct{}
}

// A Command is what a [LineBackend] tells its agent: an [agent.Cancel], an
// [agent.SetOption] or an answer.
type Command struct {
	TurnID string // "" for an option
	Line   any    // encodes as JSON
	// Refusal takes the place of Line unless that is written when Cancelled is
	// closed. It is nil for what permits nothing.
	Refusal   any
	Cancelled <-chan struct{}
}

// Coded is an error that a program can tell apart.
type Coded interface {
	error
	Code() string
}
