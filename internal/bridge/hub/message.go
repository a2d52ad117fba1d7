package hub

import "github.com/turnwire/turnwire/internal/bridge/core"

// The methods of the proposal for attaching (agent-client-protocol, pull request 533).
const (
	methodAttach = "session/attach"
	methodDetach = "session/detach"
)

// A message waits for a front end. Before it is shown the front end gets the changes of
// a session up to a number.
type message struct {
	do      func(core.View) // nil where only the changes are to be shown
	size    int             // of what do shows, in bytes
	session *attachment     // nil where it belongs to no session
	after   int64
	// gone reports that the message is not to be shown any more; nil for never.
	gone func() bool
}

// line is the message that a line is.
func line(l []byte) message {
	return message{size: len(l), do: func(v core.View) { v.Send(core.Notification{Line: l}) }}
}
