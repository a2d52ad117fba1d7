package sim

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// nativeLanguage is the native dialect.
type nativeLanguage struct{ actor *actor }

func line(o object) string { return string(encode(o)) + "\n" }

func (n *nativeLanguage) introduce() {
	info := object{
		"type": "agent_info", "name": "sim", "version": "1", "prompt": object{"image": true}, "steer": object{}, "options": nativeOptions("on"),
		"modes":    object{"modeId": "ask", "available": []object{{"id": "ask", "name": "Ask"}, {"id": "go", "name": "Go"}}},
		"commands": []object{{"name": "dance", "description": "Dances"}},
	}
	if n.actor.agent.Skills&forgets != 0 {
		info["history"] = true
	}
	if n.actor.agent.Skills&learns != 0 {
		info["systemPrompt"], info["mcp"], info["resume"] = object{"replace": n.actor.agent.Greets}, object{"http": true}, true
		info["models"] = object{"modelId": "small", "available": []object{{"id": "small", "name": "Small"}, {"id": "big", "name": "Big"}}}
	}
	n.actor.write(line(info))
}

func (n *nativeLanguage) hear(text []byte) error {
	var c struct {
		Type           string              `json:"type"`
		SessionID      string              `json:"sessionId"`
		TurnID         string              `json:"turnId"`
		Text           string              `json:"text"`
		ConfirmationID string              `json:"confirmationId"`
		ToolCallID     string              `json:"toolCallId"`
		QuestionID     string              `json:"questionId"`
		OptionID       string              `json:"optionId"`
		SteerID        string              `json:"steerId"`
		RequestID      string              `json:"requestId"`
		TerminalID     string              `json:"terminalId"`
		Value          any                 `json:"value"`
		Editor         agent.Editor        `json:"editor"`
		System         *agent.SystemPrompt `json:"systemPrompt"`
		Decision       agent.Decision      `json:"decision"`
		History        []agent.Message     `json:"history"`
	}
	if err := exactjson.Unmarshal(text, &c); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	switch c.Type {
	case agent.CommandPrompt:
		t := n.actor.readPrompt(&turn{session: c.SessionID, id: c.TurnID}, c.Text)
		n.actor.readHistory(t, c.History)
		n.actor.begin(t)
	case agent.CommandCancel:
		n.actor.cancel(c.SessionID, "session/cancel")
	case agent.CommandConfirmation:
		return n.actor.answered(cmp.Or(c.ConfirmationID, c.ToolCallID), c.Decision.Allows(), string(c.Decision))
	case agent.CommandSession:
		n.actor.mu.Lock()
		n.actor.forms[c.SessionID] = c.Editor.Forms
		n.actor.mu.Unlock()
		if c.System != nil {
			n.actor.world.see(&event{kind: instructed, actor: n.actor, session: c.SessionID, reason: c.System.Text})
		}
	case agent.CommandQuestion:
		if err := n.actor.checkAnswer(c.QuestionID, text); err != nil {
			return err
		}
		return n.actor.answered(c.QuestionID, false, "")
	case agent.CommandEditor:
		if !strings.HasPrefix(c.RequestID, "question-") {
			return nil // it is one of the extras
		}
		n.actor.mu.Lock()
		n.actor.terminals[c.RequestID] = c.TerminalID
		n.actor.mu.Unlock()
		return n.actor.answered(c.RequestID, false, "")
	case agent.CommandSetOption:
		n.actor.write(n.choose(c.OptionID, c.Value))
	case agent.CommandSteer:
		n.steer(c.SessionID, steerMessage{c.SteerID, c.Text})
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

func (*nativeLanguage) question(t *turn, id string) string {
	q := object{"type": "question", "questionId": id, "question": "Which?"}
	switch t.random.IntN(4) {
	case 0:
		q["fields"] = []object{{"name": "cups", "type": "choice", "title": "Cups", "options": []object{{"value": "1", "title": "One"}, {"value": "2"}}}}
	case 1:
		q["header"] = "Colour"
		fallthrough
	default:
		q["options"] = []string{"this", "that"}
	}
	return line(q)
}

// nativeOptions are the options of the agent's sessions.
func nativeOptions(value any) []object {
	choices := []object{{"id": "on", "name": "On"}, {"id": "off", "name": "Off"}}
	return []object{{"id": "loud", "name": "Loud", "kind": "select", "value": value, "choices": choices}, {"id": "fast", "name": "Fast", "kind": "boolean", "value": true}}
}

// choose returns the answer to a choice.
func (n *nativeLanguage) choose(option string, value any) string {
	switch {
	case n.actor.agent.Manner == sloppy:
		return line(object{"type": "option_refused", "optionId": option, "error": "not now"})
	case option == "mode":
		return line(object{"type": "mode_changed", "modeId": value})
	case option == "loud":
		return line(object{"type": "config_options", "options": nativeOptions(value)})
	}
	return ""
}

func (*nativeLanguage) finish(_ *turn, reason string) string {
	return line(object{"type": "done", "text": "", "stopReason": reason})
}
