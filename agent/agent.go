package agent

import (
	"context"
	"iter"
	"log/slog"
)

// An Agent opens sessions. It is safe for concurrent use.
type Agent interface {
	// Open starts a session. It must return quickly: a slow agent is started by
	// the first prompt instead.
	Open(ctx context.Context, o Options) (Session, error)
	// Info describes the agent to the editor.
	Info() Info
}

// Info describes an agent.
type Info struct {
	Name  string // for programs
	Title string // for users
	// Version is the agent's version; "" if Turnwire's own version suffices.
	Version string
	Image   bool // prompts may contain images
	Audio   bool // prompts may contain audio
	// MCP lists the supported MCP transports in addition to stdio; nil if the
	// agent uses no MCP servers.
	MCP    *MCPTakes
	System *SystemPromptTakes // how the agent uses the editor's instructions; nil if it ignores them
	Steer  *PromptTakes       // the content of messages during a turn; nil if the agent accepts none
	Resume bool               // the agent can continue earlier sessions
	Fork   bool               // the agent can continue copies of sessions
	// Rewind means that a copy may end before the end of the original: the agent
	// continues from nothing but what [Memory] says.
	Rewind bool
	// Local means that the agent's tools change the files of this machine. A user can
	// then accept a part of a change.
	Local bool
}

// Takes returns what the agent accepts, as known before a session is opened. An
// [Introduction] from the session's agent replaces it.
func (i Info) Takes() Takes {
	return Takes{PromptTakes: PromptTakes{Image: i.Image, Audio: i.Audio}, MCP: i.MCP, System: i.System, Steer: i.Steer}
}

// Options configures a new session.
type Options struct {
	SessionID  string
	Cwd        string   // absolute
	Roots      []string // additional directories, absolute
	MCPServers []Raw    // as the editor sent them
	Editor     FileSystem
	About      Editor        // describes the editor
	System     *SystemPrompt // the editor's instructions; nil for none
	// Recall returns what is known about the session when a conversation with
	// the agent starts. It may be called several times, because an agent may
	// have to be restarted. If it is nil, nothing is known.
	Recall func() Memory
	Log    *slog.Logger
}

// A FileSystem reads and writes text files through the editor, so that it sees
// unsaved buffers. If it is nil, or doesn't support an operation, the disk is
// used.
type FileSystem interface {
	CanRead() bool
	CanWrite() bool
	// ReadTextFile returns the complete text of the file at an absolute path.
	ReadTextFile(ctx context.Context, path string) (string, error)
	// WriteTextFile replaces or creates the file at an absolute path.
	WriteTextFile(ctx context.Context, path, text string) error
}

// A Session is one conversation with an agent.
//
// Only Close may block: all other methods queue commands. All methods are safe
// for concurrent use.
//
// Each [ConfirmationRequested] and [QuestionAsked] gets exactly one answer.
// After Cancel, no answer in that turn may permit anything: the session
// forwards refusals and treats every other answer as a refusal. This includes
// answers that are still queued when Cancel is called.
type Session interface {
	// Events returns the agent's events, in order, both during and between
	// turns. The receiver must range over each Batch (or drop it), then call
	// its Release before it receives the next one. The channel is closed after
	// Close.
	//
	// If the agent dies during a turn, an [Error] event follows. The next
	// Prompt restarts it.
	Events() <-chan Batch
	// Prompt starts a turn. It returns an error if the session is closed. If
	// the agent can't be started, either Prompt fails or an [Error] ends the
	// turn.
	Prompt(p Prompt) error
	// Options returns the options that are known before the agent sends
	// anything.
	Options() []Option
	// Configure sets an option, during or between turns, before all later
	// prompts. The agent reports the result; see [SetOption]. Configure returns
	// an error if the agent can't receive the command.
	Configure(o SetOption) error
	// Confirm answers a [ConfirmationRequested].
	Confirm(r ConfirmationResponse)
	// Answer answers a [QuestionAsked].
	Answer(r QuestionResponse)
	// Cancel asks the agent to stop the turn.
	Cancel(c Cancel)
	// Abandon says that nothing waits for a cancelled turn any more. After the
	// next Prompt, no remaining events of that turn may reach Events.
	Abandon(turnID string)
	// Close stops the agent and frees all resources. It returns when no process
	// or goroutine of the session is left, or when ctx ends.
	Close(ctx context.Context) error
}

// A Batch is a sequence of events that arrived together.
type Batch interface {
	// Events yields the events. Each one is valid until the next one is
	// requested.
	Events() iter.Seq[Event]
	// Release frees the batch's memory for reuse.
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
