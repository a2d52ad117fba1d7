package wire

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// The kinds of activity that are known.
const (
	toolProgress   = "tool-call-progress" // tool-call-progress.v1
	legacyProgress = "progress"
	remoteProgress = "a2a-task-progress" // a2a-task-progress.v1
)

// nodePrefix stands before a call's id where that names a node.
const nodePrefix = "tool_call:"

// A progress is the content of tool-call-progress.v1, in the shape of the seed
// (which has null for what is absent, and a fractional total) and in that of
// the head. The legacy kind has progress, total and message alone.
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

// percent is how far the tool is. Progress is a share of one; the legacy kind
// may also count up to its total.
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

// parent is the call that this one was made for; a run as the parent node means
// that there is none.
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

// progress passes on how far a call is. A call that nobody has announced, and
// that has a parent, is that of a sub-agent: nothing but its progress is ever
// heard of it, its end included.
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

// remote shows the state of a task that another server does for a call. It
// reports whether there was anything to show.
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

// activityDelta changes what was last said of an activity.
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

// An operation is one of JSON Patch (RFC 6902).
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

// patched is p after the operations that set a member of it; false where there
// is none.
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
