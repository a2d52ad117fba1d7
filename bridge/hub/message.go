package hub

import v1 "github.com/turnwire/turnwire/protocol/v1"

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

// A message waits for a front end. Before it is sent the front end gets the
// changes of a session up to a number.
type message struct {
	line    []byte      // empty where only the changes are to be sent
	session *attachment // nil where the line belongs to no session
	after   int64
	// gone reports that the message is not to be sent any more; nil for never.
	gone func() bool
}
