// Package v1 defines the messages of version 1 of the Agent Client Protocol that
// Turnwire uses. They are hand-written from the official schema (npm
// @agentclientprotocol/sdk 2.4.0, schema/v1/schema.json). Names in backquotes are names
// in its $defs.
//
// Contract: messages that this package writes are valid against that schema. One test
// compares the shapes, and another validates transcripts. Messages that it reads may
// have unknown members, and null for any optional member. They may also have an empty
// array instead of an empty object, because Lua and Emacs Lisp cannot tell these apart.
//
// Unions are sealed interfaces ([Update], [Block], [ToolContent]) with a table from tag
// to constructor. Frequent updates append themselves to a buffer without reflection;
// see [Update].
package v1

// Version is the protocol version of this package.
const Version = 1

// Methods that a client calls.
const (
	MethodInitialize    = "initialize"
	MethodAuthenticate  = "authenticate"
	MethodSessionNew    = "session/new"
	MethodSessionPrompt = "session/prompt"
	MethodSessionCancel = "session/cancel"
	MethodSessionClose  = "session/close"
	MethodSessionLoad   = "session/load"
	MethodSessionResume = "session/resume"
	MethodSessionList   = "session/list"
	MethodSessionDelete = "session/delete"
	MethodSetTitle      = "session/set_title" // unstable
	MethodSessionFork   = "session/fork"      // unstable
	MethodSetConfig     = "session/set_config_option"
	MethodSetMode       = "session/set_mode"
	MethodCancelRequest = "$/cancel_request" // in both directions
)

// Methods that an agent calls.
const (
	MethodSessionUpdate       = "session/update"
	MethodRequestPermission   = "session/request_permission"
	MethodElicitationCreate   = "elicitation/create"
	MethodElicitationComplete = "elicitation/complete"
	MethodTerminalCreate      = "terminal/create"
	MethodTerminalOutput      = "terminal/output"
	MethodTerminalWait        = "terminal/wait_for_exit"
	MethodTerminalKill        = "terminal/kill"
	MethodTerminalRelease     = "terminal/release"
	MethodReadTextFile        = "fs/read_text_file"
	MethodWriteTextFile       = "fs/write_text_file"
)

// MethodEvent is Turnwire's own notification for an event without a counterpart in ACP.
// It is only sent to a client that asks for it with [EventsMeta] in
// clientCapabilities._meta.
const (
	MethodEvent = "_turnwire/event"
	EventsMeta  = "turnwire.dev/events"
	// ForkMeta is true in the clientCapabilities._meta of a client to which
	// session/fork should be offered. It is true in the agentCapabilities._meta if the
	// offer is Turnwire's, and not the agent's own.
	ForkMeta = "turnwire.dev/fork"
	// MessageIDMeta contains the id that a client gives the message in a prompt, because
	// ACP gives it none. It is in the _meta of session/prompt.
	MessageIDMeta = "turnwire.dev/messageId"
	// TitleMeta is true in the agentCapabilities._meta of an agent that supports
	// session/set_title. ACP's own capability is unstable, and clients can't ask for
	// it: strict clients would refuse the whole response.
	TitleMeta = "turnwire.dev/title"
	// QuestionMeta contains a form and its answer. It is in a replayed update of the
	// tool call that asked, or of a call that only represents the question.
	QuestionMeta = "turnwire.dev/question"
	// StopMeta contains the stop reason of a replayed turn. It is in a
	// session_info_update.
	StopMeta = "turnwire.dev/stopReason"
	// TimesMeta is true in the clientCapabilities._meta of a client that wants the
	// times of the updates that session/load replays. Each of them then has [AtMeta].
	TimesMeta = "turnwire.dev/times"
	// AtMeta contains the time of a replayed update, in milliseconds since 1970. It is
	// in the _meta of the notification's params.
	AtMeta = "turnwire.dev/at"
	// UntilMeta contains the time of the last update if several are replayed as one.
	UntilMeta = "turnwire.dev/until"
	// NoLoginMeta is true in the _meta of an [AuthMethod] that does nothing and is not
	// needed. Clients should not offer it to a person.
	NoLoginMeta = "turnwire.dev/no-login"
)
