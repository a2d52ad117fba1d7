package acpmap

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// IsVisible reports whether an update shows the user part of an answer. Thoughts don't
// count.
func IsVisible(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.ToolCall, *v1.ToolCallUpdate, *v1.Plan, *v1.PlanUpdate, *v1.Notice, *v1.CompactionUpdate:
		return true
	case *v1.MessageChunk:
		if text, ok := u.Content.(*v1.TextBlock); ok && strings.TrimSpace(text.Text.String()) == "" {
			return false
		}
		return u.Kind == v1.AgentMessage
	}
	return false
}

// EndsWell reports whether a turn ended normally.
func EndsWell(end agent.Event) bool {
	done, ok := end.(*agent.Done)
	return ok && (done.StopReason == "" || done.StopReason == agent.StopEndTurn)
}

// NoAnswer returns a step that reports a turn without visible output. Its message id is
// unique.
func NoAnswer(turn string) normalize.Step {
	return normalize.Step{
		Event:     &agent.Notice{Severity: "info", Message: "The agent ended its turn without an answer."},
		MessageID: turn + ".end",
	}
}
