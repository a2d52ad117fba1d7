package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// refusals build the refusal of a request from the members before the
// mistake. If those don't include the id, the refusal has none.
var refusals = map[string]func(l *dialect.Line, reason string) agent.Event{
	"tool_confirmation_request": func(l *dialect.Line, reason string) agent.Event {
		return &agent.ConfirmationRequested{
			ConfirmationID: l.String("confirmationId"),
			ToolCallID:     l.String("toolCallId"),
			Refusal:        reason,
			Base:           agent.Base{TurnID: l.String("turnId")},
		}
	},
	"editor_request": func(l *dialect.Line, reason string) agent.Event {
		return &agent.EditorRequested{
			RequestID: l.String("requestId"),
			Refusal:   reason,
			Base:      agent.Base{TurnID: l.String("turnId")},
		}
	},
	"tool_request": func(l *dialect.Line, reason string) agent.Event {
		return &agent.ToolRequested{
			ToolCallID: l.String("toolCallId"),
			Refusal:    reason,
			Base:       agent.Base{TurnID: l.String("turnId")},
		}
	},
	"question": func(l *dialect.Line, reason string) agent.Event {
		return &agent.QuestionAsked{
			QuestionID: l.String("questionId"),
			Refusal:    reason,
			Base:       agent.Base{TurnID: l.String("turnId")},
		}
	},
}
