package sim

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// nativeLanguage is the native dialect.
type nativeLanguage struct{ actor *actor }

func line(o object) string { return string(encode(o)) + "\n" }

func (n *nativeLanguage) introduce() {
	n.actor.write(line(object{"type": "agent_info", "name": "sim", "version": "1"}))
}

func (n *nativeLanguage) hear(text []byte) error {
	var c struct {
		Type           string         `json:"type"`
		SessionID      string         `json:"sessionId"`
		TurnID         string         `json:"turnId"`
		Text           string         `json:"text"`
		ConfirmationID string         `json:"confirmationId"`
		QuestionID     string         `json:"questionId"`
		Decision       agent.Decision `json:"decision"`
	}
	if err := exactjson.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	switch c.Type {
	case agent.CommandPrompt:
		n.actor.begin(&turn{session: c.SessionID, id: c.TurnID, token: c.Text})
	case agent.CommandCancel:
		n.actor.cancel(c.SessionID)
	case agent.CommandConfirmation:
		return n.actor.answered(c.ConfirmationID, c.Decision.Allows())
	case agent.CommandQuestion:
		return n.actor.answered(c.QuestionID, false)
	}
	return nil
}

func (*nativeLanguage) text(_ *turn, piece string) string {
	return line(object{"type": "text_delta", "text": piece})
}

func (*nativeLanguage) thought(_ *turn, piece string) string {
	return line(object{"type": "thinking_delta", "thinking": piece})
}

func (*nativeLanguage) start(_ *turn, call string) string {
	return line(object{"type": "tool_start", "toolCallId": call, "toolName": "look", "args": object{"at": call}})
}

func (*nativeLanguage) output(_ *turn, call, text string) string {
	return line(object{"type": "tool_output", "toolCallId": call, "text": text})
}

func (*nativeLanguage) end(_ *turn, call string, ok bool) string {
	return line(object{"type": "tool_end", "toolCallId": call, "toolName": "look", "ok": ok})
}

func (*nativeLanguage) permission(_ *turn, call string) string {
	return line(object{"type": "tool_confirmation_request", "confirmationId": call, "toolCallId": call, "toolName": "look", "reason": "just so"})
}

func (*nativeLanguage) question(_ *turn, id string) string {
	return line(object{"type": "question", "questionId": id, "question": "Which?", "options": []string{"this", "that"}})
}

func (*nativeLanguage) finish(_ *turn, reason string) string {
	return line(object{"type": "done", "text": "", "stopReason": reason})
}
