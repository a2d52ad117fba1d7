package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// inputAvailable reports a complete call. The server runs it, unless an approval follows.
func inputAvailable(l *dialect.Line) agent.Event {
	return &agent.ToolReady{
		ToolCallID: l.Key("toolCallId"), ToolName: l.Key("toolName"), Args: l.Raw("input"), View: agent.View{Title: l.String("title")},
	}
}

// inputError reports a call that the server could not read.
func inputError(_ *State, l *dialect.Line) {
	l.Emit(inputAvailable(l))
	l.EmitEnd(agent.ToolEnd{ToolCallID: l.Key("toolCallId"), ToolName: l.Key("toolName"), Error: l.String("errorText")})
}

// approvalRequest asks the user, unless the server answers itself.
func approvalRequest(s *State, l *dialect.Line) {
	id, call, reason := l.String("approvalId"), l.Key("toolCallId"), l.String("reason")
	if l.Bool("isAutomatic") || !l.OK() {
		return
	}
	if len(s.asked) == maxAsked {
		l.Emit(refuse(l, "too many approvals are pending"))
		return
	}
	s.asked[id] = call
	l.Emit(&agent.ConfirmationRequested{ConfirmationID: id, ToolCallID: call, Reason: reason})
}

// refuse refuses an approval that can't be decoded.
func refuse(l *dialect.Line, reason string) agent.Event {
	return &agent.ConfirmationRequested{ConfirmationID: l.OptionalKey("approvalId"), ToolCallID: l.OptionalKey("toolCallId"), Refusal: reason}
}

// approvalResponse reports that an approval was answered elsewhere.
func approvalResponse(s *State, l *dialect.Line) {
	id, decision := l.String("approvalId"), agent.RejectOnce
	if l.Bool("approved") {
		decision = agent.AllowOnce
	}
	if call, ok := s.asked[id]; ok && l.OK() {
		delete(s.asked, id)
		l.Emit(&agent.ConfirmationResolved{ConfirmationID: id, ToolCallID: call, Decision: decision, Reason: l.String("reason")})
	}
}

// outputAvailable ends a call, or shows what it has put out so far.
func outputAvailable(_ *State, l *dialect.Line) {
	call, output := l.Key("toolCallId"), l.Shown("output")
	if l.Bool("preliminary") {
		l.EmitOutput(agent.ToolOutput{ToolCallID: call, Text: output, Replace: true})
		return
	}
	l.EmitEnd(agent.ToolEnd{ToolCallID: call, OK: true, Result: output})
}
