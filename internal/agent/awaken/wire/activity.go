package wire

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// The known kinds of activity.
const (
	toolProgress   = "tool-call-progress" // tool-call-progress.v1
	legacyProgress = "progress"
	remoteProgress = "a2a-task-progress" // a2a-task-progress.v1
)

// nodePrefix precedes a call's id in the name of a node.
const nodePrefix = "tool_call:"

// A progress is the content of tool-call-progress.v1, in the older form (with
// null for absent members, and a fractional total) and in the current one. The
// legacy kind only has progress, total and message.
type progress struct {
	CallID       string   `json:"call_id"`
	ToolName     string   `json:"tool_name"`
	Status       string   `json:"status"` // pending, running, done, failed, cancelled
	Progress     *float64 `json:"progress"`
	Loaded       *float64 `json:"loaded"`
	Total        *float64 `json:"total"`
	Message      string   `json:"message"`
	ParentCallID string   `json:"parent_call_id"`
	ParentNodeID string   `json:"parent_node_id"`
}

// percent returns the progress in percent, or nil if unknown. Progress is a
// fraction of one; the legacy kind may also count up to its total.
func (p progress) percent(legacy bool) *float64 {
	var v float64
	switch {
	case p.Progress != nil && legacy && p.Total != nil && *p.Total > 0 && *p.Progress == float64(int64(*p.Progress)):
		v = *p.Progress / *p.Total * 100
	case p.Progress != nil && *p.Progress <= 1:
		v = *p.Progress * 100
	case p.Progress != nil && p.Total != nil && *p.Total > 0:
		v = *p.Progress / *p.Total * 100
	case p.Progress != nil:
		v = *p.Progress
	case p.Loaded != nil && p.Total != nil && *p.Total > 0:
		v = *p.Loaded / *p.Total * 100
	default:
		return nil
	}
	v = min(max(v, 0), 100)
	return &v
}

// parent returns the parent call, or "" if the parent node is a run.
func (p progress) parent() string {
	if p.ParentCallID != "" {
		return p.ParentCallID
	}
	parent, _ := strings.CutPrefix(p.ParentNodeID, nodePrefix)
	if parent == p.ParentNodeID {
		return ""
	}
	return parent
}

// isProgress reports whether an activity is the progress of a call.
func isProgress(activity string) bool { return activity == toolProgress || activity == legacyProgress }

func (s *State) activitySnapshot(l *dialect.Line) {
	id, activity, content, replace := l.Key("message_id"), l.Key("activity_type"), valueOf(l.Fields, "content"), l.Bool("replace")
	var p progress
	ofCall := isProgress(activity) && content.Fields != nil
	if ofCall {
		content.Read(&p)
	}
	switch {
	case !l.OK():
	case ofCall:
		p.CallID = cmp.Or(p.CallID, strings.TrimPrefix(id, nodePrefix))
		s.progress(l, p, activity == legacyProgress)
	case !isProgress(activity) && s.remote(l, id, activity, content.Fields):
	default:
		l.Emit(&agent.ActivitySnapshot{MessageID: id, ActivityType: activity, Content: asWritten(l.Fields, "content"), Replace: replace})
	}
}

// progress emits the progress of a call. An unannounced call with a parent is a
// sub-agent's call: its progress is all that is ever reported about it,
// including its end.
func (s *State) progress(l *dialect.Line, p progress, legacy bool) {
	k := s.calls.find(p.CallID)
	if k == nil && p.CallID != "" && p.parent() != "" {
		k = s.announce(l, p.CallID, p.ToolName, p.parent())
		k.child = true
	}
	name := p.ToolName
	if k != nil {
		if k.state == finished {
			return // too late
		}
		k.progress, name = p, k.name
		k.advance(underway)
	}
	l.EmitProgress(agent.ToolProgress{
		ToolCallID: p.CallID, ToolName: name, Message: p.Message, Percent: p.percent(legacy), Audience: agent.ForUser,
	})
	if k == nil || !k.child {
		return
	}
	e := agent.ToolEnd{ToolCallID: k.id, ToolName: k.name}
	switch p.Status {
	case "done":
		e.OK = true
	case "failed":
		e.Error = p.Message
	case "cancelled":
		e.Cancelled = true
	default:
		return
	}
	k.state = finished
	l.EmitEnd(e)
}

// remote emits the state of a task that another server runs for a call. It
// returns false if there is nothing to show.
func (s *State) remote(l *dialect.Line, id, activity string, task *dialect.Fields) bool {
	if task == nil || activity != remoteProgress && task.OptionalKey("schema") != remoteProgress+".v1" {
		return false
	}
	failure := task.OptionalKey("failure_message")
	k := s.calls.running(strings.TrimPrefix(id, nodePrefix))
	if k == nil && failure == "" {
		return false
	}
	if k == nil {
		l.Emit(&agent.Notice{Severity: "error", Message: "A remote task failed.", Description: failure})
		return true
	}
	message := cmp.Or(failure, task.OptionalKey("text"), task.OptionalKey("state"))
	l.EmitProgress(agent.ToolProgress{ToolCallID: k.id, ToolName: k.name, Message: message, Audience: agent.ForUser})
	return true
}

// activityDelta applies a change to the last state of an activity.
func (s *State) activityDelta(l *dialect.Line) {
	id, activity, patch := l.Key("message_id"), l.Key("activity_type"), list(l, "patch")
	if !l.OK() {
		return
	}
	if k := s.calls.running(strings.TrimPrefix(id, nodePrefix)); k != nil && isProgress(activity) {
		if p, ok := patched(k.progress, patch); ok {
			p.CallID = k.id
			s.progress(l, p, activity == legacyProgress)
			return
		}
	}
	l.Emit(&agent.ActivityDelta{MessageID: id, ActivityType: activity, Patch: patch})
}

// An operation is a JSON Patch operation (RFC 6902).
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// patched returns p with the operations applied that set one of its members. It
// returns false if no operation does.
func patched(p progress, patch json.RawMessage) (progress, bool) {
	var ops []operation
	if exactjson.Unmarshal(patch, &ops) != nil {
		return p, false
	}
	changed := false
	for _, o := range ops {
		name, top := strings.CutPrefix(o.Path, "/")
		if o.Op != "replace" && o.Op != "add" || !top || strings.Contains(name, "/") || !json.Valid(o.Value) {
			continue
		}
		object, err := json.Marshal(map[string]json.RawMessage{name: o.Value})
		if err != nil || exactjson.Unmarshal(object, &p) != nil {
			continue
		}
		changed = true
	}
	return p, changed
}
