package journal

import "errors"

// The types of records, and their data.
const (
	// TypePrompt starts a turn. The data is a prompt command of the native dialect,
	// with all its blocks.
	TypePrompt = "prompt"
	// TypeEvent is an event of the native dialect as it was shown: with the ids that
	// the editor knows, and with complete descriptions of calls.
	TypeEvent = "event"
	// TypeCommand is a decision, answer or choice of the user, as a command of the
	// native dialect.
	TypeCommand = "command"
	// TypeUpdate is an ACP agent's update, as the editor got it: the member update of
	// session/update.
	TypeUpdate = "update"
	// TypeAsk is an ACP agent's request with its response: method, params, and result
	// or error.
	TypeAsk = "ask"
	// TypeAnswer ends a turn of an ACP agent. The data is the response to
	// session/prompt, as result or error.
	TypeAnswer = "answer"
	// TypeSession is an ACP agent's own id of the session, if the editor knows the session by
	// another id: an object with the id in sessionId. The latest counts.
	TypeSession = "session"
	// TypeDecision is the outcome of a permission request, and who decided: a Decision
	// of package consent.
	TypeDecision = "decision"
	// TypeFork ends the records that a session copied from another. The data is an
	// object with the other's id in of. rewound is true if the copy ends earlier than
	// the original did.
	TypeFork = "fork"
)

var errClosed = errors.New("the session is closed")
