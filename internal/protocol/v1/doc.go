// Package v1 holds the messages of version 1 of the Agent Client Protocol that
// Turnwire uses, hand-written from the official schema (npm
// @agentclientprotocol/sdk 2.4.0, schema/v1/schema.json). Names in backquotes
// are names in its $defs.
//
// Contract: what this package writes is valid against that schema. One test
// compares the shapes, and another one validates transcripts. What it reads may
// have unknown members, null for anything optional, and an empty array instead
// of an empty object (Lua and Emacs Lisp cannot tell them apart).
//
// Unions are sealed interfaces ([Update], [Block], [ToolContent]) with a table
// from tag to constructor. Frequent updates append themselves to a buffer
// without reflection; see [Update].
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

// MethodEvent is Turnwire's own notification for an event without a counterpart
// in the protocol. It is sent only to a client that has asked for it in
// clientCapabilities._meta under [EventsMeta].
const (
	MethodEvent = "_turnwire/event"
	EventsMeta  = "turnwire.dev/events"
	// ForkMeta is true in clientCapabilities._meta of a client that wants to be
	// offered session/fork.
	ForkMeta = "turnwire.dev/fork"
	// TitleMeta is true in agentCapabilities._meta of an agent that takes
	// session/set_title. The protocol's own capability for that is unstable, and
	// clients can't ask for it: strict ones would refuse the whole response.
	TitleMeta = "turnwire.dev/title"
	// QuestionMeta has a form and its answer, in a replayed update of the tool call
	// that asked, or of one that only represents the question.
	QuestionMeta = "turnwire.dev/question"
	// StopMeta has the stop reason of a replayed turn, in a session_info_update.
	StopMeta = "turnwire.dev/stopReason"
	// TimesMeta is true in clientCapabilities._meta of a client that wants the times of the
	// updates that session/load replays. Each of them has [AtMeta] then.
	TimesMeta = "turnwire.dev/times"
	// AtMeta has the time of a replayed update, in milliseconds since 1970, in the
	// _meta of the notification's params.
	AtMeta = "turnwire.dev/at"
	// UntilMeta has the time of the last one if several updates are replayed as one.
	UntilMeta = "turnwire.dev/until"
	// NoLoginMeta is true in the _meta of an [AuthMethod] that does nothing and
	// that nobody needs, so that no client offers it to a person.
	NoLoginMeta = "turnwire.dev/no-login"
)
