package awaken

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// toolFields are what the events about calls have, each some of them.
type toolFields struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    string          `json:"reason"`
	TargetID  string          `json:"target_id"`
	MessageID string          `json:"message_id"`
	Outcome   string          `json:"outcome"`
	Result    json.RawMessage `json:"result"`
	Patch     json.RawMessage `json:"patch"`
}

func toolFieldsOf(m *message) (toolFields, error) {
	var f toolFields
	if err := lenient(m.body, &f); err != nil {
		return f, err
	}
	if f.ID == "" && f.TargetID == "" {
		return f, errNoID
	}
	return f, nil
}

// confirmTool is the made-up tool by which the older form asks for a
// permission. Its call is named after the real one.
const (
	confirmTool   = "PermissionConfirm"
	confirmPrefix = "fc_"
)

// permissionPrefix does the same in the head form, for the suspension.
const permissionPrefix = "perm_"

func (d *decoder) toolStart(m *message) error {
	f, err := toolFieldsOf(m)
	if err != nil || f.Name == confirmTool {
		return err
	}
	k := d.calls.open(f.ID, f.Name)
	e := &agent.ToolPending{ToolCallID: f.ID, ToolName: k.name, ParentToolCallID: d.subruns.parent(m)}
	fill(&e.View, k.name, nil)
	d.emit(e)
	return nil
}

func (d *decoder) toolReady(m *message) error {
	f, err := toolFieldsOf(m)
	if err != nil {
		return err
	}
	if f.Name == confirmTool {
		d.askInOlderForm(f)
		return nil
	}
	k := d.calls.open(f.ID, f.Name)
	k.remember(f.Arguments)
	k.state = max(k.state, whole)
	e := &agent.ToolReady{ToolCallID: f.ID, ToolName: k.name, ParentToolCallID: d.subruns.parent(m)}
	if present(f.Arguments) { // null: the model gave none
		e.Args = f.Arguments
	}
	fill(&e.View, k.name, f.Arguments)
	d.emit(e)
	return nil
}

// askInOlderForm takes the call of the tool that asks for a permission. The
// suspended call, which says the same, may follow it or have come before.
func (d *decoder) askInOlderForm(f toolFields) {
	var about struct {
		ToolName string          `json:"tool_name"`
		ToolArgs json.RawMessage `json:"tool_args"`
	}
	_ = exactjson.Unmarshal(f.Arguments, &about)
	s := suspension{id: f.ID, source: byTool, name: about.ToolName, args: about.ToolArgs, permission: true}
	s.callID = d.confirmed(f.ID, about.ToolName)
	d.ask(s)
}

// confirmed is the call that a permission is asked for: its id is in that of
// the asking call; else it is the last one of that name that waits.
func (d *decoder) confirmed(id, name string) string {
	own, cut := strings.CutPrefix(id, confirmPrefix)
	if cut && d.calls.find(own) != nil {
		return own
	}
	for _, k := range slices.Backward(d.calls.list) {
		if k.name == name && k.state != finished {
			if _, asked := d.run.find(k.id); !asked {
				return k.id
			}
		}
	}
	return id
}

// toolDone ends a call, or says what it waits for.
func (d *decoder) toolDone(m *message) error {
	f, err := toolFieldsOf(m)
	if err != nil {
		return err
	}
	r, err := toolResultOf(f.Result)
	if err != nil && !r.suspends(f.Outcome) { // somebody waits for an answer
		return err
	}
	if present(f.Patch) {
		// Operations of Awaken's own (lattice_merge and the like) on paths that
		// are lists: no JSON Patch, and so passed on as it is.
		d.emit(&agent.StateDelta{Delta: f.Patch})
	}
	if r.suspends(f.Outcome) {
		d.suspend(f, r)
		return nil
	}
	k := d.calls.open(f.ID, r.name)
	d.run.settle(f.ID)
	k.state = finished
	e := r.end(f.Outcome)
	e.ToolCallID, e.ToolName = f.ID, k.name
	e.Extra = f.extra(r)
	d.emit(e)
	return nil
}

// extra keeps what a tool's end has on the wire and no event has.
func (f toolFields) extra(r toolResult) []byte {
	kept := struct {
		MessageID string          `json:"message_id,omitempty"`
		Outcome   string          `json:"outcome,omitempty"`
		Metadata  json.RawMessage `json:"metadata,omitempty"`
	}{f.MessageID, f.Outcome, nil}
	if isObject(r.metadata) && string(r.metadata) != "{}" {
		kept.Metadata = r.metadata
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return members(raw)
}

// toolResumed says what a suspended call was resumed with. At the head that is
// its result, and nothing follows; in the older form it is the decision, and
// the call's end follows where it was a permission.
func (d *decoder) toolResumed(m *message) error {
	f, err := toolFieldsOf(m)
	if err != nil {
		return err
	}
	s, known := d.run.settle(f.TargetID)
	if !known {
		s = suspension{id: f.TargetID, callID: d.target(f.TargetID)}
		s.permission = m.form == olderForm && decides(f.Result)
	}
	refused := denies(f.Result)
	if m.form == olderForm && s.permission {
		decision := agent.AllowOnce
		if refused {
			decision = agent.RejectOnce
		}
		d.emit(&agent.ConfirmationResolved{ConfirmationID: s.id, ToolCallID: s.callID, Decision: decision})
		if s.callID == s.id && d.calls.find(s.id) == nil { // no call is known behind it
			d.emit(&agent.ToolEnd{ToolCallID: s.callID, OK: !refused, Cancelled: refused})
		}
		return nil
	}
	if known && !s.permission {
		answered := &agent.QuestionAnswered{QuestionID: s.id, Cancelled: refused}
		if !refused {
			answered.Answer = s.answer.said(f.Result)
		}
		d.emit(answered)
	}
	k := d.calls.open(s.callID, s.name)
	k.state = finished
	e := resumedEnd(f.Result, refused)
	e.ToolCallID, e.ToolName = k.id, k.name
	d.emit(e)
	return nil
}

// target is the call that an unknown suspension was of.
func (d *decoder) target(id string) string {
	for _, prefix := range []string{permissionPrefix, confirmPrefix} {
		if own, ok := strings.CutPrefix(id, prefix); ok && d.calls.find(id) == nil && d.calls.find(own) != nil {
			return own
		}
	}
	return id
}

// toolCancel closes a call that will not run: what the model wrote of it is
// dropped.
func (d *decoder) toolCancel(m *message) error {
	f, err := toolFieldsOf(m)
	if err != nil {
		return err
	}
	k := d.calls.open(f.ID, f.Name)
	k.state = finished
	d.run.settle(f.ID)
	d.emit(&agent.ToolEnd{ToolCallID: f.ID, ToolName: k.name, Cancelled: true, Error: f.Reason})
	return nil
}
