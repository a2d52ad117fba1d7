package core

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// News is what the front ends of a session are told of each other. Source: the proposal
// for attaching to sessions (agent-client-protocol, pull request 533).
type News struct {
	Kind NewsKind
	By   string // the id of the front end that has done it

	Blocks     int           // of a prompt
	StopReason v1.StopReason // of a turn that has ended well
	Error      string        // of one that has failed
	ToolCall   string        // that was decided about
	Option     string        // that was chosen, or ""
}

// A NewsKind is what has happened, by the name that it has in an update.
type NewsKind string

// The kinds of news. SessionEnded is no update.
const (
	Prompted     NewsKind = "prompt_received"
	TurnEnded    NewsKind = "turn_complete"
	Resolved     NewsKind = "permission_resolved"
	Left         NewsKind = "client_disconnected"
	SessionEnded NewsKind = "session_ended"
)
