package wire

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// rowSpawned starts a sub-agent's task.
func rowSpawned(c *conversation, l *dialect.Line) {
	total := count(l.Fields, "total")
	e := &agent.SubagentStart{
		ID: childID(l), Name: "Sub-agent", Task: l.String("task"),
		ParentToolCallID: l.Key("parentSubagentId", "parent_subagent_id"),
	}
	if total > 1 {
		e.Name = fmt.Sprintf("Sub-agent %d of %d", count(l.Fields, "index")+1, total)
	}
	if e.ParentToolCallID == "" {
		e.ParentToolCallID = c.calls.spawner(e.Task, total > 1)
	}
	c.spawned(l, e, l.String("modelRef", "model_ref"))
}

func childSpawned(c *conversation, l *dialect.Line) {
	task := l.String("task")
	provider, model := modelOf(l.Fields, "model")
	c.spawned(l, &agent.SubagentStart{
		ID: childID(l), Name: "Sub-agent", Task: task,
		RunID:            l.Key("childSessionId", "child_session_id"),
		ParentToolCallID: c.calls.spawner(task, false),
	}, strings.TrimPrefix(provider+"/"+model, "/"))
}

// spawned starts a sub-agent's task. The model becomes an extra member.
func (c *conversation) spawned(l *dialect.Line, e *agent.SubagentStart, model string) {
	if model != "" {
		e.Extra = rawjson.AppendString([]byte(`"model":`), model)
	}
	c.spawn(e).announce(l)
}

func childID(l *dialect.Line) string {
	return l.Key("childId", "child_id", "subagentId", "subagent_id")
}

// rowForwarded shows a sub-agent's event in the format of serializeAgentEvent.
// Its texts are whole messages.
func rowForwarded(c *conversation, l *dialect.Line) { c.forward(l, true) }

func childForwarded(c *conversation, l *dialect.Line) { c.forward(l, false) }

// forward shows a sub-agent's event under its call. A line that is not shown
// completely becomes telemetry.
func (c *conversation) forward(l *dialect.Line, whole bool) {
	inner := l.Object("inner")
	if inner == nil {
		return
	}
	if c.depth < maxDepth && typeOf(inner) != "" {
		if s := c.child(childID(l)); !s.ended && s.decode(l, inner, whole) {
			return
		}
	}
	telemetry(c, l)
}

// rowCompleted ends a sub-agent's task.
func rowCompleted(c *conversation, l *dialect.Line) {
	status := l.Key("status")
	c.completed(l, &agent.SubagentEnd{
		ID:         childID(l),
		OK:         status == "completed",
		Error:      words(l.Fields, "error"),
		DurationMS: milliseconds(l.Fields, "durationMs", "duration_ms"),
	}, status)
}

// childCompleted ends a sub-agent. Its earlier events tell whether it failed.
func childCompleted(c *conversation, l *dialect.Line) {
	e := &agent.SubagentEnd{ID: childID(l), Result: l.String("finalMessage", "final_message"), DurationMS: elapsed(l.Fields)}
	s := c.child(e.ID)
	if e.OK = !s.failed; s.spoke {
		e.Result = ""
	}
	total := dollars(l.Object("usage"))
	s.announce(l)
	c.settle(l, total, s.talk.cost.session)
	c.completed(l, e, "")
}

// completed ends a sub-agent, with the known details of a failure.
func (c *conversation) completed(l *dialect.Line, e *agent.SubagentEnd, status string) {
	s := c.child(e.ID)
	s.announce(l)
	s.ended, s.talk = true, conversation{}
	if e.Error == "" && s.failed {
		e.Error = s.failure
	}
	if e.Error == "" && !e.OK {
		e.Error = "the sub-agent did not complete its task"
		if status != "" {
			e.Error += ": " + status
		}
	}
	c.emit(l, e)
}
