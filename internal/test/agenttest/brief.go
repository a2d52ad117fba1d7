package agenttest

import "github.com/turnwire/turnwire/agent"

// Brief describes an event in a few words.
func Brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.TextDelta:
		return e.Text.String()
	case *agent.Notice:
		return "notice " + e.Message
	case *agent.Error:
		return "error " + e.Code + " " + e.Error
	case *agent.Done:
		return "done " + string(e.StopReason)
	}
	return e.Type()
}

// JSON returns an event's JSON without its turn.
func JSON(e agent.Event) string {
	common := e.Common()
	turn := common.TurnID
	common.TurnID = ""
	line := string(agent.AppendJSON(nil, e))
	common.TurnID = turn
	return line
}

// Asks reports whether an event is a request to the user.
func Asks(e agent.Event) bool {
	switch e.(type) {
	case *agent.ConfirmationRequested, *agent.QuestionAsked:
		return true
	}
	return false
}

// Ends reports whether an event ends its turn.
func Ends(e agent.Event) bool {
	switch e := e.(type) {
	case *agent.Done:
		return true
	case *agent.Error:
		return e.Fatal == nil || *e.Fatal
	}
	return false
}
