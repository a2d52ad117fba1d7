package agentao

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxApprovals bounds the approvals that are remembered.
const maxApprovals = 1 << 8

// An approval is a call that somebody is asked about before it begins. Neither
// the event nor the question names the call: it is the next one of the same
// tool with the same arguments, and gets the approval's id.
type approval struct {
	id       string
	helper   string
	tool     string
	args     agent.Raw
	resolved bool
}

func (d *decoder) await(a approval) {
	if len(d.approvals) >= maxApprovals {
		d.approvals = slices.Delete(d.approvals, 0, 1)
	}
	d.approvals = append(d.approvals, a)
}

// claim returns the approval that a call has waited for, if it has.
func (d *decoder) claim(wire, helper, tool string, args agent.Raw) (a approval, ok bool) {
	i := slices.IndexFunc(d.approvals, func(a approval) bool { return wire != "" && a.id == wire })
	if i < 0 {
		i = slices.IndexFunc(d.approvals, func(a approval) bool {
			return a.helper == helper && a.tool == tool && same(a.args, args)
		})
	}
	if i < 0 {
		return approval{}, false
	}
	a = d.approvals[i]
	d.approvals = slices.Delete(d.approvals, i, i+1)
	return a, true
}

func same(a, b agent.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return exactjson.Unmarshal(a, &x) == nil && exactjson.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// toolConfirmation announces that somebody is being asked. The host asks the
// person itself, in its next line; without it nobody waits for an answer of
// ours.
func (d *decoder) toolConfirmation(_ string, data []byte) error {
	var e toolEvent
	if err := read(data, &e); err != nil {
		return err
	}
	if d.hosted {
		return nil
	}
	helper, tool := nested(e.Tool)
	args := value(e.Args)
	for i, a := range d.approvals { // a permission_decision may have told of it
		if a.tool == tool && a.args == nil && !a.resolved {
			d.approvals[i].args = args
			d.emit(&agent.ApprovalRequired{ToolCallID: a.id, ToolName: tool, Args: args})
			return nil
		}
	}
	a := approval{id: d.next("approval"), helper: helper, tool: tool, args: args}
	d.await(a)
	d.emit(&agent.ApprovalRequired{ToolCallID: a.id, ToolName: tool, Args: args})
	return nil
}

// confirmationResolved tells in a replay how the first such question went.
func (d *decoder) confirmationResolved(_ string, data []byte) error {
	var e struct {
		Tool     string `json:"tool"`
		Approved bool   `json:"approved"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	_, tool := nested(e.Tool)
	out := &agent.ApprovalResponse{Approved: e.Approved}
	for i, a := range d.approvals {
		if a.tool == tool && !a.resolved {
			d.approvals[i].resolved = true
			out.ToolCallID = a.id
			break
		}
	}
	d.emit(out)
	return nil
}
