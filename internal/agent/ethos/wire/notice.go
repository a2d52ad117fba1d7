package wire

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// ruleToolBudget is the rule that stops a turn which has used up its tool calls.
const ruleToolBudget = "tool-budget"

// progress shows what the loop itself says as a notice. The loop says it under
// the name of a tool that does not exist, or of one that it has called too often
// and that does not run now.
func (s *state) progress(e *agent.ToolProgress) agent.Event {
	loop := strings.HasPrefix(e.ToolName, "_")
	if !loop && strings.HasPrefix(e.Message, "Stopped: ") {
		_, running := s.calls.of(e.ToolName)
		loop = running == 0
	}
	if !loop || e.Audience != agent.ForUser {
		return e
	}
	if e.ToolName == "_compaction" {
		return &agent.Notice{Severity: "info", Message: "Ethos shortened what it remembers: " + e.Message}
	}
	s.warning = e.Message
	return &agent.Notice{Severity: "warning", Message: strings.TrimPrefix(e.Message, "⚠ ")}
}

// halt says why the turn stops. Mostly the progress before it has told the user,
// in the same words, or with a sign and the rule before them.
func (s *state) halt(e *agent.Halt) agent.Event {
	if e.Kind == "budget" && e.Rule == ruleToolBudget {
		s.limited = true
	}
	warning := s.warning
	s.warning = ""
	if warning == "" || !strings.HasSuffix(warning, e.Message) {
		return e
	}
	data, err := json.Marshal(e)
	if err != nil {
		return e
	}
	return &agent.Telemetry{Name: e.Type(), Data: data}
}
