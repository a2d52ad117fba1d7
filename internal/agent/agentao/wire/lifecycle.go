package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Rows that only a replay file has: the events that Agentao sends to its hosts
// (agentao/host/models.py). They may repeat other rows, without arguments and
// results.

// toolLifecycle decodes the start or the end of a call. If other, more detailed
// rows report the same call, it emits nothing.
func (s *state) toolLifecycle(l *dialect.Line) {
	id, name, phase := l.Key("tool_call_id"), l.Key("tool_name"), l.Key("phase")
	o := outcome{status: "ok", ms: took(l)}
	summary, errorType := l.String("summary"), l.String("error_type")
	switch how := l.Key("outcome"); {
	case how == "cancelled":
		o.status, o.failure = "cancelled", first(summary, "cancelled")
	case phase != "completed" || how == "error":
		o.status, o.failure = "error", first(summary, "failed")
		if errorType != "" {
			o.failure += " (" + errorType + ")"
		}
	}
	if !l.OK() {
		return
	}
	_, tool := labelOf(name)
	if phase == "started" {
		if c := s.calls.find(id, tool, running); c == nil || !c.reported {
			s.start(l, id, name, nil)
		}
		return
	}
	if c := s.calls.find(id, tool, running, pending, ended, answered); c == nil {
		s.unstarted(id, tool)
	} else if c.reported {
		return
	}
	if c := s.calls.find(id, tool, running); c != nil { // otherwise it is a repetition
		s.end(l, c, o, false)
	}
}

// took returns the duration of the row's call or helper agent, in milliseconds.
func took(l *dialect.Line) float64 {
	return dialect.Elapsed(l.String("started_at"), l.String("completed_at"))
}

// subagentLifecycle decodes the start or the end of a helper agent. If
// subagent_started reports the same one, only one of the two is shown.
func (s *state) subagentLifecycle(l *dialect.Line) {
	task, phase := l.Key("child_task_id"), l.Key("phase")
	h := s.findHelper(func(h *helper) bool { return h.task == task && task != "" })
	if phase == "spawned" {
		start := &agent.SubagentStart{Task: l.String("task_summary"), RunID: l.Key("child_session_id"), ParentRunID: l.Key("parent_session_id")}
		if h != nil || !l.OK() {
			return
		}
		if h = s.findHelper(func(h *helper) bool { return !h.done && h.task == "" }); h != nil {
			h.task = task
			return
		}
		start.ID = s.addHelper("", task).id
		l.Emit(start)
		return
	}
	end := &agent.SubagentEnd{OK: phase == "completed", DurationMS: max(took(l), 0)}
	if !end.OK {
		end.Error = first(l.String("error_type"), phase)
	}
	switch {
	case !l.OK():
		return
	case h == nil:
		h = s.addHelper("", task)
	case h.done || h.name != "":
		return // subagent_completed has the details
	}
	h.done, end.ID = true, h.id
	l.Emit(end)
}
