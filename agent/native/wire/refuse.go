package wire

import (
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxCause bounds what an agent is told of a line that it wrote.
const maxCause = 500

// Refuse implements [dialect.Refuser]. It takes the members up to where the line
// cannot be read; without an id the refusal names none.
func (*decoder) Refuse(line []byte, cause error) agent.Event {
	var kind, confirmation, call, question, turn string
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		var to *string
		switch string(key) {
		case "type":
			to = &kind
		case "confirmationId":
			to = &confirmation
		case "toolCallId":
			to = &call
		case "questionId":
			to = &question
		case "turnId":
			to = &turn
		default:
			continue
		}
		if s, err := rawjson.Parse(value); err == nil {
			*to = s.Clean().String()
		}
	}
	if malformed, ok := errors.AsType[*dialect.MalformedError](cause); ok {
		cause = malformed.Err
	}
	text := cause.Error()
	reason := "it cannot be read: " + text[:min(len(text), maxCause)]
	base := agent.Base{TurnID: turn}
	switch kind {
	case "tool_confirmation_request":
		return &agent.ConfirmationRequested{ConfirmationID: confirmation, ToolCallID: call, Refusal: reason, Base: base}
	case "question":
		return &agent.QuestionAsked{QuestionID: question, Refusal: reason, Base: base}
	}
	return nil
}
