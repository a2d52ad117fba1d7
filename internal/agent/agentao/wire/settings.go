package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Lines in which the host reports Agentao's settings. The option ids are mode
// and model, as in set_option.

// hostHello introduces Agentao before it runs.
func hostHello(l *dialect.Line) agent.Event {
	e := &agent.Introduction{
		Name: "Agentao", Prompt: &agent.PromptTakes{Image: true}, MCP: &agent.MCPTakes{HTTP: true, SSE: true}, Resume: true,
	}
	for c := range l.Objects("commands") {
		e.Commands = append(e.Commands, agent.Command{Name: c.String("name"), Description: c.String("description")})
	}
	return e
}

func hostNotice(l *dialect.Line) agent.Event {
	return &agent.Notice{Severity: "warning", Message: l.String("message")}
}

// hostState reports the key under which Agentao stores the conversation.
func hostState(l *dialect.Line) agent.Event {
	return &agent.State{State: l.Raw("state")}
}

func hostMode(l *dialect.Line) agent.Event {
	return &agent.ModeChanged{ModeID: l.Key("current"), Available: available(l)}
}

func hostModel(l *dialect.Line) agent.Event {
	return &agent.ModelChanged{ModelID: l.Key("current"), Available: available(l)}
}

func hostRefused(l *dialect.Line) agent.Event {
	return &agent.OptionRefused{OptionID: l.Key("option"), Error: hide(l.String("message"))}
}

func available(l *dialect.Line) (found []agent.Choice) {
	for c := range l.Objects("available") {
		found = append(found, agent.Choice{ID: c.String("id"), Name: c.String("name"), Description: c.String("description")})
	}
	return found
}

// refuseConfirm refuses a confirmation that can't be decoded, because the host
// waits for an answer.
func refuseConfirm(l *dialect.Line, reason string) agent.Event {
	id := l.OptionalKey("id")
	if id == "" {
		return nil
	}
	return &agent.ConfirmationRequested{ConfirmationID: id, ToolCallID: id, ToolName: l.OptionalKey("tool"), Refusal: reason}
}

// refuseQuestion refuses a question that can't be decoded.
func refuseQuestion(l *dialect.Line, reason string) agent.Event {
	id := l.OptionalKey("id")
	if id == "" {
		return nil
	}
	return &agent.QuestionAsked{QuestionID: id, Refusal: reason}
}
