package wire

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// ruleToolBudget is the rule that stops a turn that has used up its tool calls.
const ruleToolBudget = "tool-budget"

// progress shows messages from Ethos's own loop as notices. The loop sends them
// under the name of a pseudo-tool, or of a tool that it has called too often and
// that is not running.
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
		return &agent.Notice{Severity: "info", Message: "Ethos compacted its memory: " + e.Message}
	}
	s.warning = e.Message
	return &agent.Notice{Severity: "warning", Message: strings.TrimPrefix(e.Message, "⚠ ")}
}

// halt reports why the turn stops. Usually, the preceding progress has already
// told the user, in the same words or with a sign and the rule in front of them.
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
