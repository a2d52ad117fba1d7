package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// callPending decodes AgentToolCallPending, which Glue does not send for every
// provider (never for Ollama).
func callPending(c *conversation, l *dialect.Line) {
	id, name := l.Key("id"), l.Key("name")
	id = c.calls.begin(id, name, "")
	c.emit(l, &agent.ToolPending{ToolCallID: id, ToolName: name, View: view(name, nil)})
}

// callMade decodes AgentToolCall. In the class form, its members are in "call".
// It may contain a thought signature, which is for the model only.
func callMade(c *conversation, l *dialect.Line) {
	call := l.Object("call")
	if call == nil {
		call = l.Fields
	}
	name := call.Key("name")
	task := ""
	if name == toolSpawn {
		l.Lenient(func() { task = call.Object("arguments").String("task") })
	}
	c.begun(l, call.Key("id"), name, call.Raw("arguments"), task, "")
}

func callStarted(c *conversation, l *dialect.Line) {
	name := l.Key("tool")
	task := ""
	if name == toolSpawn {
		l.Lenient(func() { task = l.Object("args").String("task") })
	}
	c.begun(l, l.Key("id"), name, l.Raw("args"), task, kindOf(l.Key("kind")))
}

// begun records a running call and emits its start. Glue does not report when
// the user has allowed it. task is the task for a sub-agent.
func (c *conversation) begun(l *dialect.Line, id, name string, args agent.Raw, task, kind string) {
	v := view(name, args)
	if v.Kind == "" {
		v.Kind = kind
	}
	c.start(l, agent.ToolStart{ToolCallID: c.calls.begin(id, name, task), ToolName: name, Args: args, View: v})
}

// callProgress emits progress for the user, the only audience in the contract.
func callProgress(c *conversation, l *dialect.Line) {
	id := l.Key("id")
	e := &agent.ToolProgress{ToolCallID: id, ToolName: c.calls.name(id), Message: l.String("message"), Audience: agent.ForUser}
	percent := l.Float("percentComplete", "percent_complete")
	if l.Has("percentComplete", "percent_complete") && percent >= 0 && percent <= 100 {
		e.Percent = &percent
	}
	c.emit(l, e)
}

// callCompleted decodes a ToolResultSnapshot.
func callCompleted(c *conversation, l *dialect.Line) {
	result := l.Object("result")
	id := l.Key("id")
	if id == "" {
		id = result.Key("id")
	}
	e := agent.ToolEnd{DurationMS: elapsed(l.Fields)}
	if e.DurationMS == 0 {
		e.DurationMS = elapsed(result)
	}
	switch outcomeOf(result) {
	case "ok":
		e.OK = true
		e.Result = result.Text("contentSummary", "content_summary")
	case "error":
		if e.Error = words(result, "message"); e.Error == "" {
			e.Error = "the tool failed"
		}
		if result.Has("category") {
			e.Structured = without(l.Raw("result"), "message")
		}
	default:
		e.Cancelled = true
	}
	call := c.calls.end(id, "")
	e.ToolCallID, e.ToolName = call.id, call.name
	c.end(l, e)
}

// outcomeOf distinguishes the classes of ToolResultSnapshot. Serializers write
// the class name, with or without "Tool" and "Snapshot", or leave it to be
// inferred from the members. A result without any is that of a cancelled call.
func outcomeOf(result *dialect.Fields) string {
	class := strings.TrimSuffix(strings.TrimPrefix(typeOf(result), "Tool"), "Snapshot")
	switch class = strings.ToLower(class); {
	case class == "ok" || class == "error" || class == "cancelled":
		return class
	case result.Has("message"):
		return "error"
	case result.Has("contentSummary", "content_summary"):
		return "ok"
	}
	return "cancelled"
}
