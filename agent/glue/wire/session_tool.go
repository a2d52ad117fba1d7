package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

func callStarted(c *conversation, f *fields) {
	start(c, f.text("id"), f.text("tool"), f.value("args"), kindOf(f.text("kind")))
}

// callProgress is for the person: the contract has no other audience.
func callProgress(c *conversation, f *fields) {
	e := &agent.ToolProgress{ToolCallID: f.text("id"), ToolName: c.calls.name(f.text("id")), Message: f.text("message"), Audience: agent.ForUser}
	if percent, given := f.number("percent_complete"); given && percent >= 0 && percent <= 100 {
		e.Percent = &percent
	}
	c.emit(e)
}

// callCompleted decodes a ToolResultSnapshot. Serializers name its class, with
// or without "Tool" and "Snapshot", or leave it to the members to tell; one of
// which nothing is said has no result: it was cancelled.
func callCompleted(c *conversation, f *fields) {
	result, _ := f.object("result")
	if result.err == nil {
		result.err = f.err // there is none
	}
	id := f.text("id")
	if id == "" {
		id = result.text("id")
	}
	call := c.calls.end(id, "")
	e := &agent.ToolEnd{ToolCallID: call.id, ToolName: call.name, DurationMS: f.milliseconds("elapsed", "elapsed_ms")}
	if e.DurationMS == 0 {
		e.DurationMS = result.milliseconds("elapsed", "elapsed_ms")
	}
	switch snapshotOf(&result) {
	case "ok":
		e.OK = true
		e.Result = result.body("content_summary")
	case "error":
		e.Error = result.shown("message")
		if e.Error == "" {
			e.Error = "the tool failed"
		}
		if category := result.value("category"); category != nil {
			e.Structured = without(result.raw, "message")
		}
	default:
		e.Cancelled = true
	}
	c.emit(e)
}

func snapshotOf(result *fields) string {
	name, _ := result.typeName()
	switch strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "Tool"), "Snapshot")) {
	case "ok":
		return "ok"
	case "error":
		return "error"
	case "cancelled":
		return "cancelled"
	}
	switch {
	case result.has("message"):
		return "error"
	case result.has("content_summary"):
		return "ok"
	}
	return "cancelled"
}

// permissionRequested asks for a call that has not started yet: the summary is
// all that is known of it then.
func permissionRequested(c *conversation, f *fields) {
	request, id := f.text("request_id"), f.text("tool_call_id")
	if id == "" {
		id = request
	}
	if c.asked == nil || len(c.asked) >= maxOpen {
		c.asked = make(map[string]string)
	}
	if len(request) <= maxID && len(id) <= maxID {
		c.asked[request] = id
	}
	e := &agent.ConfirmationRequested{ConfirmationID: request, ToolCallID: id, ToolName: c.calls.name(id)}
	if e.ToolName == "" {
		e.Title, e.Kind = f.text("summary"), kindOf(f.text("danger_level"))
	} else {
		e.Reason = f.text("summary")
	}
	switch f.text("scope") {
	case "session", "persistent":
		e.Decisions = []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce}
	}
	c.emit(e)
}

// permissionResolved gives the person's decision. What does not say that it was
// granted was not.
func permissionResolved(c *conversation, f *fields) {
	request := f.text("request_id")
	id, known := c.asked[request]
	if !known {
		telemetry(c, f)
		return
	}
	delete(c.asked, request)
	lasting := f.text("applied_scope") == "session" || f.text("applied_scope") == "persistent"
	granted, given := f.flag("granted")
	e := &agent.ConfirmationResolved{ConfirmationID: request, ToolCallID: id, Decision: agent.NotDecided}
	switch {
	case granted && lasting:
		e.Decision = agent.AllowAlways
	case granted:
		e.Decision = agent.AllowOnce
	case given && lasting:
		e.Decision = agent.RejectAlways
	case given:
		e.Decision = agent.RejectOnce
	}
	c.emit(e)
}

func childSpawned(c *conversation, f *fields) {
	e := &agent.SubagentStart{ID: f.text("child_id"), Name: "Sub-agent", Task: f.text("task"), RunID: f.text("child_session_id")}
	e.ParentToolCallID = c.calls.spawner(e.Task, false)
	provider, model := f.model("model")
	c.spawn(e, strings.TrimPrefix(provider+"/"+model, "/"))
}

func childForwarded(c *conversation, f *fields) {
	inner, ok := f.object("inner")
	if !ok {
		return
	}
	name, _ := inner.typeName()
	k, _ := find(name, &inner)
	forward(c, f, f.text("child_id"), k.handle, &inner)
}

// childCompleted ends a sub-agent. Whether it succeeded is not said here: its
// own events told where it did not.
func childCompleted(c *conversation, f *fields) {
	e := &agent.SubagentEnd{ID: f.text("child_id"), DurationMS: f.milliseconds("elapsed", "elapsed_ms")}
	s := c.child(e.ID)
	e.OK = !s.failed
	if final := f.body("final_message"); !s.spoke {
		e.Result = final.String()
	}
	settle(c, f, s.talk.cost.session)
	completed(c, e, "")
}
