package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// confirmTool is the pseudo-tool with which the older form requests a
// permission. The id of its call contains the real call's id.
const (
	confirmTool   = "PermissionConfirm"
	confirmPrefix = "fc_"
)

// permissionPrefix is the equivalent in the current form, for the suspension's
// id.
const permissionPrefix = "perm_"

// callID returns the call that an event is about. Events about calls ignore
// members of the wrong kind, because the user may be asked about the call.
func callID(l *dialect.Line, key string) string {
	id := l.OptionalKey(key)
	if id == "" {
		l.Fault(errNoID)
	}
	return id
}

func (s *State) toolStart(l *dialect.Line) {
	id, name := callID(l, "id"), l.OptionalKey("name")
	if !l.OK() || name == confirmTool {
		return
	}
	k := s.calls.open(id, name)
	s.pending = agent.ToolPending{ToolCallID: id, ToolName: k.name, ParentToolCallID: s.subruns.parent(l)}
	fill(&s.pending.View, k.name, nil)
	l.Emit(&s.pending)
}

func (s *State) toolReady(l *dialect.Line) {
	id, name, args := callID(l, "id"), l.OptionalKey("name"), valueOf(l.Fields, "arguments")
	switch {
	case !l.OK():
		return
	case name == confirmTool:
		s.askInOlderForm(l, id, args)
		return
	}
	k := s.calls.open(id, name)
	k.remember(args.raw)
	k.advance(whole)
	s.ready = agent.ToolReady{ToolCallID: id, ToolName: k.name, Args: args.raw, ParentToolCallID: s.subruns.parent(l)}
	fill(&s.ready.View, k.name, args.raw)
	l.Emit(&s.ready)
}

// toolDone ends a call, or reports what it waits for.
func (s *State) toolDone(l *dialect.Line) {
	id, outcome := callID(l, "id"), l.OptionalKey("outcome")
	suspended := outcome == "suspended" || outcome == "" && object(l.Fields, "result").OptionalKey("status") == "pending"
	var r toolResult
	if suspended { // the server waits for an answer, even if parts are unreadable
		l.Lenient(func() { r = resultOf(l) })
	} else {
		r = resultOf(l)
	}
	if !l.OK() {
		return
	}
	if patch := l.Raw("patch"); patch != nil {
		// These are Awaken's own operations (lattice_merge and the like) on
		// paths that are lists. They are not JSON Patch, so they are passed on
		// unchanged.
		l.Emit(&agent.StateDelta{Delta: patch})
	}
	if suspended {
		s.suspended(l, id, r)
		return
	}
	k := s.calls.open(id, r.name)
	s.settle(id)
	k.state = finished
	end := r.end(outcome)
	end.ToolCallID, end.ToolName, end.Extra = id, k.name, s.endExtra(l, r)
	l.EmitEnd(end)
}

// endExtra returns the members of a tool's end that its event does not define.
func (s *State) endExtra(l *dialect.Line, r toolResult) []byte {
	s.extra = s.extra[:0]
	for _, key := range [...]string{"message_id", "outcome"} {
		if v := valueOf(l.Fields, key); len(v.body()) > 0 {
			s.extra = appendMember(s.extra, key, v.raw)
		}
	}
	if r.metadata != nil && string(r.metadata.JSON()) != "{}" {
		s.extra = appendMember(s.extra, "metadata", object(l.Fields, "result").Raw("metadata"))
	}
	return s.extra
}

// toolResumed reports the value that a suspended call was resumed with. In the
// current form, it is the call's result, and nothing follows. In the older
// form, it is the decision; after a permission, the call's end follows.
func (s *State) toolResumed(l *dialect.Line) {
	target, result := callID(l, "target_id"), valueOf(l.Fields, "result")
	if !l.OK() {
		return
	}
	was, known := s.settle(target)
	if !known {
		was = Suspension{ID: target, CallID: s.suspendedCall(target), Permission: l.Form == olderForm && decides(result)}
	}
	refused := denies(result)
	if l.Form == olderForm && was.Permission {
		s.resolved(l, was, refused)
		return
	}
	if known && !was.Permission {
		answered := &agent.QuestionAnswered{QuestionID: was.ID, Cancelled: refused}
		if !refused {
			answered.Answer = was.Answer.text(result)
		}
		l.Emit(answered)
	}
	k := s.calls.open(was.CallID, was.name)
	k.state = finished
	end := resumedEnd(result, refused)
	end.ToolCallID, end.ToolName = k.id, k.name
	l.EmitEnd(end)
}

// resolved reports the decision about a permission.
func (s *State) resolved(l *dialect.Line, was Suspension, refused bool) {
	decision := agent.AllowOnce
	if refused {
		decision = agent.RejectOnce
	}
	l.Emit(&agent.ConfirmationResolved{ConfirmationID: was.ID, ToolCallID: was.CallID, Decision: decision})
	if was.CallID == was.ID && s.calls.find(was.ID) == nil { // no call is known whose end could follow
		l.EmitEnd(agent.ToolEnd{ToolCallID: was.CallID, OK: !refused, Cancelled: refused})
	}
}

// suspendedCall returns the call of an unknown suspension.
func (s *State) suspendedCall(id string) string {
	for _, prefix := range [...]string{permissionPrefix, confirmPrefix} {
		if own, ok := strings.CutPrefix(id, prefix); ok && s.calls.find(id) == nil && s.calls.find(own) != nil {
			return own
		}
	}
	return id
}

// toolCancel ends a call that will not run. What the model wrote of it is
// dropped.
func (s *State) toolCancel(l *dialect.Line) {
	id := callID(l, "id")
	if !l.OK() {
		return
	}
	k := s.calls.open(id, l.OptionalKey("name"))
	k.state = finished
	s.settle(id)
	l.EmitEnd(agent.ToolEnd{ToolCallID: id, ToolName: k.name, Cancelled: true, Error: l.OptionalKey("reason")})
}
