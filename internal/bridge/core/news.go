package core

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// News tells a session's clients about each other. Source: the proposal for attaching
// to sessions (agent-client-protocol, pull request 533).
type News struct {
	Kind NewsKind
	By   string // the id of the client that acted

	Blocks     int           // the number of blocks in a prompt
	StopReason v1.StopReason // of a turn that succeeded
	Error      string        // of a turn that failed
	ToolCall   string        // the call that was decided
	Option     string        // the chosen option, or ""
}

// A NewsKind is the kind of event. Its value is the name used in updates.
type NewsKind string

// The kinds of news. SessionEnded is not an update.
const (
	Prompted     NewsKind = "prompt_received"
	TurnEnded    NewsKind = "turn_complete"
	Resolved     NewsKind = "permission_resolved"
	Left         NewsKind = "client_disconnected"
	SessionEnded NewsKind = "session_ended"
)
