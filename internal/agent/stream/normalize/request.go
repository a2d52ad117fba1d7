package normalize

import "github.com/turnwire/turnwire/agent"

// refuse yields a confirmation, question or editor request with a refusal, so
// that the agent gets an answer. It drops every other event.
func (t *Normalizer) refuse(e agent.Event, reason string) {
	switch e := e.(type) {
	case *agent.ConfirmationRequested:
		e.Refusal = reason
	case *agent.QuestionAsked:
		e.Refusal = reason
	case *agent.EditorRequested:
		e.Refusal = reason
	default:
		return
	}
	t.yield(Step{Event: e})
}

// addRequest handles an event about a confirmation or a question.
func (t *Normalizer) addRequest(e agent.Event) {
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
		if refusal := fitQuestion(e); refusal != "" {
			t.refuse(e, refusal)
			return
		}
		t.text.interrupt()
		if tool := t.calls.find(e.ToolCallID); tool != nil && !tool.hidden && !tool.Status.Terminal() {
			e.ToolCallID = tool.ID
			t.yieldApart(Step{Event: e, Tool: tool})
			return
		}
		e.ToolCallID = t.calls.unique("question:" + e.QuestionID)
		t.yieldApart(Step{Event: e})
	}
}

// maxConfirmations limits the confirmations of one call, because each one shows
// the call's arguments again, even if the agent's message is short.
const maxConfirmations = 32

// maxConfirmationOptions limits the options of one confirmation.
const maxConfirmationOptions = 64

// fitOptions keeps the options that can be chosen: an option without an id
// can't be named in the answer, and an option of unknown kind has no known
// meaning. It returns a reason if the user can't be asked.
func fitOptions(e *agent.ConfirmationRequested) (refusal string) {
	if len(e.Options) == 0 {
		return ""
	}
	ids := make(map[string]bool)
	fitting := make([]agent.ConfirmationOption, 0, min(len(e.Options), maxConfirmationOptions))
	for _, o := range e.Options {
		switch {
		case ids[o.ID]:
			return "two of its options have the same ID"
		case !isID(o.ID) || !o.Kind.Known():
			continue
		case len(fitting) == maxConfirmationOptions:
			return "it has too many options"
		}
		ids[o.ID] = true
		o.Name = label(o.Name)
		fitting = append(fitting, o)
	}
	if len(fitting) == 0 {
		return "none of its options can be chosen: each needs an ID and a kind"
	}
	e.Options = fitting
	return ""
}

// addConfirmation announces the call that a confirmation is about. If another
// confirmation of that call is open, it becomes a separate call, because
// editors show one question for each call.
func (t *Normalizer) addConfirmation(e *agent.ConfirmationRequested) {
	if refusal := fitOptions(e); refusal != "" {
		t.refuse(e, refusal)
		return
	}
	tool := t.calls.find(e.ToolCallID)
	if tool != nil && tool.confirmations >= maxConfirmations {
		t.refuse(e, "this call already had too many requests")
		return
	}
	apart := tool != nil && tool.asking && e.ConfirmationID != "" && e.ConfirmationID != tool.asked
	tool, first := t.announce(announced{id: e.ToolCallID, name: e.ToolName, args: e.Args, view: e.View, apart: apart, complete: true, awaitsConsent: true})
	t.text.interrupt()
	tool.hidden = tool.hidden || first
	t.reveal(tool) // the user must see what the question is about
	tool.asking, tool.asked = true, e.ConfirmationID
	tool.confirmations++
	e.ToolCallID = tool.ID
	t.yieldCall(Step{Event: e, Tool: tool})
}

// Decided marks the confirmation of a call as no longer open. tool may be nil.
func (t *Normalizer) Decided(tool *Tool) {
	if tool != nil {
		tool.asking = false
	}
}
