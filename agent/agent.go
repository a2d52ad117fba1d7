package agent

import (
	"context"
	"iter"
	"log/slog"
)

// An Agent opens sessions. It is safe for concurrent use.
type Agent interface {
	// Open starts a session. It must be quick: an agent that is slow to
	// start does so at the first prompt.
	Open(ctx context.Context, o Options) (Session, error)
	// Info describes the agent to the editor.
	Info() Info
}

// Info describes an agent.
type Info struct {
	Name  string // for machines
	Title string // for people
	Image bool   // prompts may hold images
	Audio bool   // prompts may hold audio
}

// Options are what a session is opened with.
type Options struct {
	SessionID  string
	Cwd        string   // absolute
	Roots      []string // additional directories, absolute
	MCPServers []Raw    // as the editor gave them
	Editor     FileSystem
	Log        *slog.Logger
}

// A FileSystem reads and writes text files through the editor, and so sees
// buffers that are not saved. A nil FileSystem, or a method that is not
// offered, means that the disk is to be used.
type FileSystem interface {
	CanRead() bool
	CanWrite() bool
	// ReadTextFile returns the whole text of the file at an absolute path.
	ReadTextFile(ctx context.Context, path string) (string, error)
	// WriteTextFile replaces or creates the file at an absolute path.
	WriteTextFile(ctx context.Context, path, text string) error
}

// A Session is one conversation with an agent.
//
// No method but Close blocks: commands are queued for whoever writes them.
// All are safe for concurrent use.
//
// Each [ConfirmationRequested] and [QuestionAsked] gets exactly one answer.
// After Cancel of a turn no answer of that turn may permit anything: a session
// passes on refusals, and takes every other answer for one. An answer that
// waits to be passed on when Cancel is called is refused too.
type Session interface {
	// Events hands over what the agent says, in order, inside and outside of
	// turns. Whoever receives a Batch must range over it (or drop it) and then
	// call its Release before receiving the next. The channel is closed after
	// Close.
	//
	// An agent that dies while a turn runs says so with an [Error] event; the
	// next Prompt starts it again.
	Events() <-chan Batch
	// Prompt starts a turn. It fails where the session is closed. Where the
	// agent cannot be started it fails, or an [Error] ends the turn.
	Prompt(p Prompt) error
	// Options is what can be chosen, as far as it is known before the agent
	// has said anything.
	Options() []Option
	// Configure sets an option, inside or outside of turns, before all that
	// is prompted later. The agent says what became of it; see [SetOption]. It
	// fails where nobody is there to be told.
	Configure(o SetOption) error
	// Confirm answers a [ConfirmationRequested].
	Confirm(r ConfirmationResponse)
	// Answer answers a [QuestionAsked].
	Answer(r QuestionResponse)
	// Cancel asks the agent to stop the turn.
	Cancel(c Cancel)
	// Abandon says that a cancelled turn will not be waited for: what is
	// left of it must not reach Events after the next Prompt.
	Abandon(turnID string)
	// Close stops the agent and frees everything; it returns when no process
	// or goroutine of the session is left, at the latest when ctx ends.
	Close(ctx context.Context) error
}

// A Batch is a run of events that arrived together.
type Batch interface {
	// Events yields the events. Each is valid until the next is asked for.
	Events() iter.Seq[Event]
	// Release gives the batch's memory back.
	Release()
}

// One is a Batch of a single event.
type One struct{ Event Event }

// Events yields the event.
func (o One) Events() iter.Seq[Event] {
	return func(yield func(Event) bool) { yield(o.Event) }
}

// Release does nothing.
func (One) Release() {}
