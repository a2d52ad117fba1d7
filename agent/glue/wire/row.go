package wire

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// rowUserMessage begins a turn: each user_message does. The person knows what
// they wrote; those who watch may want it.
func rowUserMessage(c *conversation, f *fields) {
	c.begin(f.text("turn_id"), "", "")
	telemetry(c, f)
}

// rowText decodes a message of a conversation, which is whole: two of them are
// two messages.
func rowText(c *conversation, f *fields) {
	if text := f.body("text"); len(text) > 0 {
		c.emit(&agent.TextDelta{Text: text})
		c.emit(&agent.MessageEnd{})
	}
}

func rowThinking(c *conversation, f *fields) {
	if text := f.body("text"); len(text) > 0 {
		c.emit(&agent.ThinkingDelta{Thinking: text})
		c.emit(&agent.MessageEnd{})
	}
}

// rowUsage takes the tokens of one request of the conversation itself. What a
// sub-agent or a title took, and sums over several requests, say nothing of how
// full the context is.
func rowUsage(c *conversation, f *fields) {
	role := f.text("role")
	if (role == "" || role == "main") && f.count("turn_count") <= 1 {
		c.emit(tokens(f))
		return
	}
	telemetry(c, f)
}

// rowSpawned begins the task of a sub-agent.
func rowSpawned(c *conversation, f *fields) {
	e := &agent.SubagentStart{ID: f.text("subagent_id"), Task: f.text("task"), ParentToolCallID: f.text("parent_subagent_id")}
	total := f.count("total")
	e.Name = "Sub-agent"
	if total > 1 {
		e.Name = fmt.Sprintf("Sub-agent %d of %d", f.count("index")+1, total)
	}
	if e.ParentToolCallID == "" {
		e.ParentToolCallID = c.calls.spawner(e.Task, total > 1)
	}
	c.spawn(e, f.text("model_ref"))
}

// rowForwarded shows what a sub-agent does, as Glue's serializeAgentEvent
// writes it: its texts are whole messages here.
func rowForwarded(c *conversation, f *fields) {
	inner, ok := f.object("inner")
	if !ok {
		return
	}
	name, _ := inner.typeName()
	h := agentHandlers.of(name)
	switch name {
	case "assistant_message":
		h = rowText
	case "assistant_thinking":
		h = rowThinking
	}
	forward(c, f, f.text("subagent_id"), h, &inner)
}

// rowCompleted ends the task of a sub-agent.
func rowCompleted(c *conversation, f *fields) {
	status := f.text("status")
	completed(c, &agent.SubagentEnd{
		ID:         f.text("subagent_id"),
		OK:         status == "completed",
		Error:      f.shown("error"),
		DurationMS: f.milliseconds("duration_ms"),
	}, status)
}

// withModel adds the model of a sub-agent, which has no field of its own.
func withModel(e *agent.SubagentStart, model string) {
	if model != "" {
		e.Extra = append([]byte(`"model":`), rawjson.AppendString([]byte(nil), model)...)
	}
}
