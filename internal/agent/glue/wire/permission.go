package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// permissionRequested asks about a call that has not started yet. At that
// time, only its summary is known.
func permissionRequested(c *conversation, l *dialect.Line) {
	request, id := l.Key("requestId", "request_id"), l.Key("toolCallId", "tool_call_id")
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
		e.Title, e.Kind = l.String("summary"), kindOf(l.Key("dangerLevel", "danger_level"))
	} else {
		e.Reason = l.String("summary")
	}
	if lasts(l.Key("scope")) {
		e.Decisions = []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce}
	}
	c.emit(l, e)
}

// permissionResolved emits the user's decision. Anything but an explicit grant
// is not a permission.
func permissionResolved(c *conversation, l *dialect.Line) {
	request := l.Key("requestId", "request_id")
	id, known := c.asked[request]
	if !known {
		telemetry(c, l)
		return
	}
	delete(c.asked, request)
	lasting := lasts(l.Key("appliedScope", "applied_scope"))
	e := &agent.ConfirmationResolved{ConfirmationID: request, ToolCallID: id, Decision: agent.NotDecided}
	switch granted := l.Bool("granted"); {
	case granted && lasting:
		e.Decision = agent.AllowAlways
	case granted:
		e.Decision = agent.AllowOnce
	case l.Has("granted") && lasting:
		e.Decision = agent.RejectAlways
	case l.Has("granted"):
		e.Decision = agent.RejectOnce
	}
	c.emit(l, e)
}

// lasts reports whether a decision with this scope applies to more than one
// call.
func lasts(scope string) bool { return scope == "session" || scope == "persistent" }
