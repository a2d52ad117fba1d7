package hub

import (
	"github.com/turnwire/turnwire/bridge/core"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// Methods that the hub looks into. All others pass as they are.
const (
	methodInitialize = v1.MethodInitialize
	methodNew        = v1.MethodSessionNew
	methodLoad       = v1.MethodSessionLoad
	methodResume     = v1.MethodSessionResume
	methodFork       = v1.MethodSessionFork
	methodClose      = v1.MethodSessionClose
	methodDelete     = v1.MethodSessionDelete
	methodList       = v1.MethodSessionList
	methodPrompt     = v1.MethodSessionPrompt
	methodSetMode    = v1.MethodSetMode
	methodSetConfig  = v1.MethodSetConfig
	methodUpdate     = v1.MethodSessionUpdate
	methodPermission = v1.MethodRequestPermission
	methodElicit     = v1.MethodElicitationCreate
	methodCancel     = v1.MethodSessionCancel
	methodCancelCall = "$/cancel_request"

	// The proposal for attaching (agent-client-protocol, pull request 533).
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
