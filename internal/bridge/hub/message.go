package hub

import "github.com/turnwire/turnwire/internal/bridge/core"

// The methods of the proposal for attaching to sessions (agent-client-protocol, pull
// request 533).
const (
	methodAttach = "session/attach"
	methodDetach = "session/detach"
)

// A message is queued for a client. Before it is shown, the client gets a session's
// changes up to a number.
type message struct {
	do      func(core.View) // nil to show only the changes
	size    int             // the size of what do shows, in bytes
	session *attachment     // nil if it belongs to no session
	after   int64
	// obsolete, if not nil, reports whether the message is no longer needed.
	obsolete func() bool
}

// waits reports whether the client must get changes before the message.
func (m *message) waits() bool {
	if m.session == nil || m.session.sent >= m.after {
		return false
	}
	return m.do != nil || m.obsolete == nil || !m.obsolete()
}

// line returns a message with a single line.
func line(l []byte) message {
	return message{size: len(l), do: func(v core.View) { v.Send(core.Notification{Line: l}) }}
}
