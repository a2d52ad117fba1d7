package awaken

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
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

// activityFields are those of both events about activities.
type activityFields struct {
	MessageID    string          `json:"message_id"`
	ActivityType string          `json:"activity_type"`
	Content      json.RawMessage `json:"content"`
	Replace      bool            `json:"replace"`
	Patch        json.RawMessage `json:"patch"`
}

func (d *decoder) activitySnapshot(m *message) error {
	var f activityFields
	if err := m.fields(&f); err != nil {
		return err
	}
	var p progress
	switch {
	case f.ActivityType == toolProgress || f.ActivityType == legacyProgress:
		if !isObject(f.Content) {
			break
		}
		if err := exactjson.Unmarshal(f.Content, &p); err != nil {
			return err
		}
		if p.CallID == "" {
			p.CallID = strings.TrimPrefix(f.MessageID, nodePrefix)
		}
		d.progress(p, f.ActivityType == legacyProgress)
		return nil
	case isRemote(f):
		if d.remote(f) {
			return nil
		}
	}
	d.emit(&agent.ActivitySnapshot{MessageID: f.MessageID, ActivityType: f.ActivityType, Content: f.Content, Replace: f.Replace})
	return nil
}

// progress tells how far a call is. A call that nobody has announced, and that
// has a parent, is that of a sub-agent; its progress is all that is ever heard
// of it, its end included.
func (d *decoder) progress(p progress, legacy bool) {
	k := d.calls.find(p.CallID)
	if k == nil && p.CallID != "" && p.parent() != "" {
		k = d.announce(p.CallID, p.ToolName, p.parent())
		k.child = true
	}
	name := p.ToolName
	if k != nil {
		if k.state == finished {
			return // too late
		}
		k.told, name = p, k.name
		k.state = max(k.state, underway)
	}
	d.emit(&agent.ToolProgress{
		ToolCallID: p.CallID, ToolName: name, Message: p.Message, Percent: p.percent(legacy), Audience: agent.ForUser,
	})
	if k == nil || !k.child {
		return
	}
	e := &agent.ToolEnd{ToolCallID: k.id, ToolName: k.name}
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
	d.emit(e)
}

func isRemote(f activityFields) bool {
	if f.ActivityType == remoteProgress {
		return true
	}
	var s struct {
		Schema json.RawMessage `json:"schema"`
	}
	return isObject(f.Content) && exactjson.Unmarshal(f.Content, &s) == nil && str(s.Schema) == remoteProgress+".v1"
}

// remote shows what is heard of a task that another server does for a call. It
// is false where no call is known.
func (d *decoder) remote(f activityFields) bool {
	var c struct {
		State          json.RawMessage `json:"state"`
		Text           json.RawMessage `json:"text"`
		FailureMessage json.RawMessage `json:"failure_message"`
	}
	if exactjson.Unmarshal(f.Content, &c) != nil {
		return false
	}
	k := d.calls.find(strings.TrimPrefix(f.MessageID, nodePrefix))
	failure := str(c.FailureMessage)
	if k == nil || k.state == finished {
		if failure != "" {
			d.emit(&agent.Notice{Severity: "error", Message: "A remote task failed.", Description: failure})
		}
		return failure != ""
	}
	message := str(c.State)
	for _, text := range []string{failure, str(c.Text)} {
		if text != "" {
			message = text
			break
		}
	}
	d.emit(&agent.ToolProgress{ToolCallID: k.id, ToolName: k.name, Message: message, Audience: agent.ForUser})
	return true
}

// An operation is one of JSON Patch (RFC 6902).
type operation struct {
	Op    string          `json:"op"`
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
}

var errNoList = errors.New("its patch is no list")

// activityDelta changes what was last said of an activity.
func (d *decoder) activityDelta(m *message) error {
	var f activityFields
	if err := m.fields(&f); err != nil {
		return err
	}
	if present(f.Patch) && f.Patch[0] != '[' {
		return errNoList
	}
	k := d.calls.find(strings.TrimPrefix(f.MessageID, nodePrefix))
	if k != nil && k.state != finished && (f.ActivityType == toolProgress || f.ActivityType == legacyProgress) {
		if p, ok := patched(k.told, f.Patch); ok {
			p.CallID = k.id
			d.progress(p, f.ActivityType == legacyProgress)
			return nil
		}
	}
	d.emit(&agent.ActivityDelta{MessageID: f.MessageID, ActivityType: f.ActivityType, Patch: f.Patch})
	return nil
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
