package agent

import (
	"context"
	"iter"
	"log/slog"
)

// An Agent opens sessions. It is safe for concurrent use.
type Agent interface {
	// Open starts a session. It must be quick: an agent that starts slowly does
	// so at the first prompt.
	Open(ctx context.Context, o Options) (Session, error)
	// Info describes the agent to the editor.
	Info() Info
}

// Info describes an agent.
type Info struct {
	Name  string // for programs
	Title string // for users
	// Version is that of the agent; "" where Turnwire's own says enough.
	Version string
	Image   bool // prompts may hold images
	Audio   bool // prompts may hold audio
	// MCP says which MCP servers the agent uses beside commands; nil if it uses
	// none at all.
	MCP    *MCPTakes
	System *SystemPromptTakes // the agent takes instructions of the editor; nil if it does not
	Resume bool               // the agent goes on with sessions that it had before
}

// Takes returns what the agent takes, as far as that is known before a session
// is opened. An [Introduction] of the session's agent replaces it.
func (i Info) Takes() Takes {
	return Takes{PromptTakes: PromptTakes{Image: i.Image, Audio: i.Audio}, MCP: i.MCP, System: i.System}
}

// Options describe a new session.
type Options struct {
	SessionID  string
	Cwd        string   // absolute
	Roots      []string // additional directories, absolute
	MCPServers []Raw    // as the editor sent them
	Editor     FileSystem
	About      Editor        // the editor
	System     *SystemPrompt // its instructions; nil for none
	// Recall returns what there is of the session when a conversation with the
	// agent begins, which may be several times in a session: an agent may have
	// to be started again. Nil: there never is anything.
	Recall func() Memory
	Log    *slog.Logger
}

// A FileSystem reads and writes text files through the editor, and so sees
// unsaved buffers. If it is nil, or does not offer a method, the disk is used.
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
// No method except Close blocks: commands are queued. All methods are safe for
// concurrent use.
//
// Each [ConfirmationRequested] and [QuestionAsked] gets exactly one answer.
// After Cancel no answer of that turn may permit anything: the session passes
// refusals on, and treats every other answer as a refusal. An answer that is
// still queued when Cancel is called is refused too.
type Session interface {
	// Events returns the agent's events, in order, inside and outside of turns.
	// The receiver of a Batch must range over it (or drop it) and then call its
	// Release before it receives the next one. The channel is closed after
	// Close.
	//
	// If the agent dies while a turn runs, an [Error] event follows. The next
	// Prompt starts it again.
	Events() <-chan Batch
	// Prompt starts a turn. It fails if the session is closed. If the agent
	// cannot be started, it fails or an [Error] ends the turn.
	Prompt(p Prompt) error
	// Options returns the options that are known before the agent has sent
	// anything.
	Options() []Option
	// Configure sets an option, inside or outside of turns, before all later
	// prompts. The agent reports the result; see [SetOption]. It fails if the
	// agent cannot be told.
	Configure(o SetOption) error
	// Confirm answers a [ConfirmationRequested].
	Confirm(r ConfirmationResponse)
	// Answer answers a [QuestionAsked].
	Answer(r QuestionResponse)
	// Cancel asks the agent to stop the turn.
	Cancel(c Cancel)
	// Abandon says that nothing waits for a cancelled turn any more: the rest
	// of its events must not reach Events after the next Prompt.
	Abandon(turnID string)
	// Close stops the agent and frees everything. It returns when no process or
	// goroutine of the session is left, or when ctx ends.
	Close(ctx context.Context) error
}

// A Batch is a run of events that arrived together.
type Batch interface {
	// Events yields the events. Each one is valid until the next one is
	// requested.
	Events() iter.Seq[Event]
	// Release returns the batch's memory.
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
