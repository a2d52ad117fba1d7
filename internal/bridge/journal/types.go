package journal

import "errors"

// The types of records, and what their data is.
const (
	// TypePrompt begins a turn: a command prompt of the native dialect, with all
	// its blocks.
	TypePrompt = "prompt"
	// TypeEvent is an event of the native dialect as it was shown: its ids are
	// those that the editor knows, and the description of a call is whole.
	TypeEvent = "event"
	// TypeCommand is what the user has decided, answered or chosen: a command of
	// the native dialect.
	TypeCommand = "command"
	// TypeUpdate is an update of an ACP agent, as the editor got it: the member
	// update of session/update.
	TypeUpdate = "update"
	// TypeAsk is what an ACP agent has asked and what was answered: method,
	// params, and result or error.
	TypeAsk = "ask"
	// TypeAnswer ends a turn of an ACP agent: the answer to session/prompt, as
	// result or error.
	TypeAnswer = "answer"
	// TypeDecision is what became of a request for permission, and who has decided:
	// a Decision of the package consent.
	TypeDecision = "decision"
)

var errClosed = errors.New("the session is closed")
