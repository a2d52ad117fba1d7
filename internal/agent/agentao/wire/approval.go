package wire

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxApprovals limits the approvals that are remembered.
const maxApprovals = 1 << 8

// An approval is a call that needs a decision before it starts. Neither the
// event nor the question names the call: it is the next call of the same tool
// with the same arguments, and gets the approval's id.
type approval struct {
	id       string
	helper   string
	tool     string
	args     agent.Raw
	resolved bool
}

// await stores an approval, which outlives its line.
func (s *state) await(a approval) {
	a.args = bytes.Clone(a.args)
	if len(s.approvals) >= maxApprovals {
		s.approvals = slices.Delete(s.approvals, 0, 1)
	}
	s.approvals = append(s.approvals, a)
}

// claim returns and removes the approval that a call has waited for, if there
// is one.
func (s *state) claim(wire, helper, tool string, args agent.Raw) (a approval, ok bool) {
	i := slices.IndexFunc(s.approvals, func(a approval) bool { return wire != "" && a.id == wire })
	if i < 0 {
		i = slices.IndexFunc(s.approvals, func(a approval) bool {
			return a.helper == helper && a.tool == tool && same(a.args, args)
		})
	}
	if i < 0 {
		return approval{}, false
	}
	a = s.approvals[i]
	s.approvals = slices.Delete(s.approvals, i, i+1)
	return a, true
}

func same(a, b agent.Raw) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return exactjson.Unmarshal(a, &x) == nil && exactjson.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// toolConfirmation announces that a confirmation is pending. The host requests
// it from the user in its next line; without a host, nothing waits for our
// answer.
func (s *state) toolConfirmation(l *dialect.Line) {
	helper, tool := labelOf(l.Key("tool"))
	if s.hosted || !l.OK() {
		return
	}
	args := l.Raw("args")
	i := slices.IndexFunc(s.approvals, func(a approval) bool { return a.tool == tool && a.args == nil && !a.resolved })
	if i < 0 {
		i = len(s.approvals)
		s.await(approval{id: s.next("approval"), helper: helper, tool: tool, args: args})
		i = min(i, len(s.approvals)-1)
	} else {
		s.approvals[i].args = bytes.Clone(args) // a permission_decision has announced it
	}
	l.Emit(&agent.ApprovalRequired{ToolCallID: s.approvals[i].id, ToolName: tool, Args: args})
}

// confirmationResolved resolves the first open confirmation of a tool.
func (s *state) confirmationResolved(l *dialect.Line) {
	_, tool := labelOf(l.Key("tool"))
	e := &agent.ApprovalResponse{Approved: l.Bool("approved")}
	if !l.OK() {
		return
	}
	i := slices.IndexFunc(s.approvals, func(a approval) bool { return a.tool == tool && !a.resolved })
	if i >= 0 {
		s.approvals[i].resolved = true
		e.ToolCallID = s.approvals[i].id
	}
	l.Emit(e)
}

// permissionDecision decodes a decision of the permission rules. It announces a
// call that needs a confirmation. A denied call has its own end.
func (s *state) permissionDecision(l *dialect.Line) {
	id, outcome := l.Key("tool_call_id"), l.Key("outcome")
	helper, tool := labelOf(l.Key("tool_name"))
	if !l.OK() {
		return
	}
	if outcome != "prompt" || id == "" {
		l.Emit(telemetry(l))
		return
	}
	id = s.calls.unique(id)
	s.await(approval{id: id, helper: helper, tool: tool})
	l.Emit(&agent.ApprovalRequired{ToolCallID: id, ToolName: tool})
}
