package normalize

import "github.com/turnwire/turnwire/agent"

// refuse yields what an agent asks and nobody can be asked, so that it gets its
// answer. It drops every other event.
func (t *Normalizer) refuse(e agent.Event, reason string) {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		e.Refusal = reason
	case *agent.QuestionAsked:
		e.Refusal = reason
	default:
		return
	}
	t.yield(Step{Event: e})
}

// addAsk takes an event about what the user is asked.
func (t *Normalizer) addAsk(e agent.Event) {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		if e.Refusal != "" {
			t.yield(Step{Event: e})
			return
		}
		t.addConfirmation(e)
	case *agent.ConfirmationResolved:
		if tool := t.calls.find(e.ToolCallID); tool != nil && !tool.hidden {
			tool.asking = false
			e.ToolCallID = tool.ID
			t.yield(Step{Event: e, Tool: tool})
		}
	case *agent.QuestionAsked:
		if e.Refusal != "" {
			t.yield(Step{Event: e})
			return
		}
		// A question is shown as a call of its own, also where a call asks it:
		// that one is shown under another title.
		e.ToolCallID = t.calls.unique("question:" + e.QuestionID)
		t.text.boundary()
		t.yieldApart(Step{Event: e})
	}
}

// maxConfirmations is how often may be asked about one call: each time its
// arguments are shown again, however little the agent says.
const maxConfirmations = 32

// addConfirmation announces the call that a confirmation is about. While another
// confirmation of that call is open it is shown as a call of its own: an editor
// has one question for each.
func (t *Normalizer) addConfirmation(e *agent.ConfirmationRequested) {
	tool := t.calls.find(e.ToolCallID)
	if tool != nil && tool.confirmations >= maxConfirmations {
		t.refuse(e, "it was asked about this call too often")
		return
	}
	apart := tool != nil && tool.asking && e.ConfirmationID != "" && e.ConfirmationID != tool.asked
	tool, first := t.announce(announced{id: e.ToolCallID, name: e.ToolName, args: e.Args, view: e.View, apart: apart})
	t.text.boundary()
	tool.hidden = tool.hidden || first
	t.reveal(tool) // the user is asked about it
	tool.asking, tool.asked = true, e.ConfirmationID
	tool.confirmations++
	e.ToolCallID = tool.ID
	t.yieldCall(Step{Event: e, Tool: tool})
}

// Decided says that the confirmation of a call is not open any more. The call
// may be nil.
func (t *Normalizer) Decided(tool *Tool) {
	if tool != nil {
		tool.asking = false
	}
}
