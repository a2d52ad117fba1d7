package ethos

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// ruleToolBudget is the rule by which a turn has had all its tool calls.
const ruleToolBudget = "tool-budget"

// progress shows what the loop itself says as a notice. It says it under the
// name of a tool that does not exist, or of one that it has called too often
// and that does not run now.
func (d *decoder) progress(e *agent.ToolProgress) agent.Event {
	loop := strings.HasPrefix(e.ToolName, "_") ||
		strings.HasPrefix(e.Message, "Stopped: ") && !d.calls.runs(e.ToolName)
	if !loop || e.Audience != agent.ForUser {
		return e
	}
	if e.ToolName == "_compaction" {
		return &agent.Notice{Severity: "info", Message: "Ethos shortened what it remembers: " + e.Message}
	}
	d.warned = e.Message
	return &agent.Notice{Severity: "warning", Message: strings.TrimPrefix(e.Message, "⚠ ")}
}

// halt says why the turn stops. Mostly the progress right before has said so
// to the person: with the same words, or with a sign and the rule before them.
func (d *decoder) halt(e *agent.Halt) agent.Event {
	if e.Kind == "budget" && e.Rule == ruleToolBudget {
		d.limited = true
	}
	warned := d.warned
	d.warned = ""
	if warned == "" || !strings.HasSuffix(warned, e.Message) {
		return e
	}
	data, err := json.Marshal(e)
	if err != nil {
		return e
	}
	return &agent.Telemetry{Name: e.Type(), Data: data}
}
