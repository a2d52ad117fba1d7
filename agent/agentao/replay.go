package agentao

import (
	"time"

	"github.com/turnwire/turnwire/agent"
)

// Rows that only a replay file has: the events that Agentao gives its hosts
// (agentao/host/models.py). They tell again, without arguments and results, of
// what other rows may have told.

// toolLifecycle tells that a tool has begun or ended. Where tool_started tells
// of the same call it says more, and this is heeded no further.
func (d *decoder) toolLifecycle(_ string, data []byte) error {
	var e struct {
		ID        string `json:"tool_call_id"`
		Tool      string `json:"tool_name"`
		Phase     string `json:"phase"`
		Outcome   string `json:"outcome"`
		Summary   string `json:"summary"`
		ErrorType string `json:"error_type"`
		Started   string `json:"started_at"`
		Completed string `json:"completed_at"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	_, tool := nested(e.Tool)
	if e.Phase == "started" {
		if c := d.calls.find(e.ID, tool, running); c == nil || !c.told {
			d.start(e.ID, e.Tool, nil)
		}
		return nil
	}
	if c := d.calls.find(e.ID, tool, running, held, ended, answered); c == nil {
		d.stranger(e.ID, tool)
	} else if c.told {
		return nil
	}
	c := d.calls.find(e.ID, tool, running)
	if c == nil {
		return nil // a repetition
	}
	end := toolEvent{Status: "ok", MS: between(e.Started, e.Completed)}
	switch {
	case e.Outcome == "cancelled":
		end.Status, end.Error = "cancelled", first(e.Summary, "cancelled")
	case e.Phase != "completed" || e.Outcome == "error":
		end.Status, end.Error = "error", first(e.Summary, "failed")
		if e.ErrorType != "" {
			end.Error += " (" + e.ErrorType + ")"
		}
	}
	d.end(c, end, false)
	return nil
}

// between is the time from one date to another in milliseconds, 0 where either
// is none.
func between(from, to string) float64 {
	a, errA := time.Parse(time.RFC3339, from)
	b, errB := time.Parse(time.RFC3339, to)
	if errA != nil || errB != nil {
		return 0
	}
	return float64(b.Sub(a).Milliseconds())
}

// subagentLifecycle tells of a helper agent. Where subagent_started tells of
// the same, only one of the two is shown.
func (d *decoder) subagentLifecycle(_ string, data []byte) error {
	var e struct {
		Task      string `json:"child_task_id"`
		Session   string `json:"child_session_id"`
		Parent    string `json:"parent_session_id"`
		Phase     string `json:"phase"`
		Summary   string `json:"task_summary"`
		ErrorType string `json:"error_type"`
		Started   string `json:"started_at"`
		Completed string `json:"completed_at"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	h := d.findHelper(func(h *helper) bool { return h.task == e.Task && e.Task != "" })
	if e.Phase == "spawned" {
		if h != nil {
			return nil
		}
		if h = d.findHelper(func(h *helper) bool { return !h.over && h.task == "" }); h != nil {
			h.task = e.Task
			return nil
		}
		h = &helper{id: d.next("subagent"), task: e.Task}
		d.addHelper(h)
		d.emit(&agent.SubagentStart{ID: h.id, Task: e.Summary, RunID: e.Session, ParentRunID: e.Parent})
		return nil
	}
	switch {
	case h == nil:
		h = &helper{id: d.next("subagent"), task: e.Task}
		d.addHelper(h)
	case h.over || h.name != "":
		return nil // subagent_completed tells how it went
	}
	h.over = true
	end := &agent.SubagentEnd{ID: h.id, OK: e.Phase == "completed", DurationMS: max(between(e.Started, e.Completed), 0)}
	if !end.OK {
		end.Error = first(e.ErrorType, e.Phase)
	}
	d.emit(end)
	return nil
}

// permissionDecision tells what the rules say of a call. That somebody is asked
// announces the call; how a denied one ends is told when it ends.
func (d *decoder) permissionDecision(name string, data []byte) error {
	var e struct {
		ID      string `json:"tool_call_id"`
		Tool    string `json:"tool_name"`
		Outcome string `json:"outcome"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	if e.Outcome != "prompt" || e.ID == "" {
		return d.telemetry(name, data)
	}
	helper, tool := nested(e.Tool)
	d.await(approval{id: d.calls.unique(e.ID), helper: helper, tool: tool})
	d.emit(&agent.ApprovalRequired{ToolCallID: d.approvals[len(d.approvals)-1].id, ToolName: tool})
	return nil
}
