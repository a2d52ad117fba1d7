package core

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// ClientEvent tells a session's clients about each other. Source: the proposal for
// attaching to sessions (agent-client-protocol, pull request 533).
type ClientEvent struct {
	Kind ClientEventKind
	By   string // the id of the client that acted

	Blocks     int           // the number of blocks in a prompt
	StopReason v1.StopReason // of a turn that succeeded
	Error      string        // of a turn that failed
	ToolCall   string        // the call that was decided
	Option     string        // the chosen option, or ""
}

// A ClientEventKind is the kind of event. Its value is the name used in updates.
type ClientEventKind string

// The kinds of client events. SessionEnded and HistoryBegins are not updates.
const (
	Prompted     ClientEventKind = "prompt_received"
	TurnEnded    ClientEventKind = "turn_complete"
	Resolved     ClientEventKind = "permission_resolved"
	Left         ClientEventKind = "client_disconnected"
	SessionEnded ClientEventKind = "session_ended"
	// HistoryBegins precedes the history for an AHP host, which may have received updates
	// of the session since it was resumed. The history repeats them.
	HistoryBegins ClientEventKind = "history_begins"
)

// Interrupted is the title of the notice in a history at which a turn was interrupted.
const Interrupted = "This turn was interrupted because Turnwire exited."

// Copied is the title of the notice at which the copy of a running turn ends.
const Copied = "This turn was still running when the session was copied."
