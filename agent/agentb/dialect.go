package agentb

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// The events of seed 004, which are also all that the framework declares.
const (
	runCreated        = "agent.run.created"
	stepCreated       = "agent.run.step.created"
	statusChanged     = "agent.run.status.changed"
	messageCreated    = "thread.message.created"
	messageDelta      = "thread.message.delta"
	messageCompleted  = "thread.message.completed"
	callCreated       = "thread.run.step.tool_call.created"
	callCompleted     = "thread.run.step.tool_call.completed_by_llm"
	toolStarted       = "agent.tool.execution.started"
	toolCompleted     = "agent.tool.execution.completed"
	requiresAction    = "thread.run.requires_action"
	runFailed         = "thread.run.failed"
	runCompleted      = "thread.run.completed"
	subAgentStarted   = "agent.sub_agent.invocation.started" // declared, and never sent so far
	subAgentCompleted = "agent.sub_agent.invocation.completed"
)

var types = []string{
	runCreated, stepCreated, statusChanged,
	messageCreated, messageDelta, messageCompleted,
	callCreated, callCompleted, toolStarted, toolCompleted,
	requiresAction, runFailed, runCompleted,
	subAgentStarted, subAgentCompleted,
}

// Dialect is AgentB's. A run that pauses for the outputs of tools ends the
// turn, for a stream alone has no way back.
var Dialect = dialect.Dialect{
	Name:       "agentb",
	Types:      func() []string { return types },
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder(false) },
}

// recognise tells by the type alone: no other dialect has dotted names like
// these.
func recognise(line []byte) bool {
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			return false
		}
		if string(key) == "type" {
			name, err := rawjson.Parse(value)
			return err == nil && slices.Contains(types, name.String())
		}
	}
}
