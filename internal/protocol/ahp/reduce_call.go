package ahp

import (
	"cmp"
	"slices"
)

// Call returns a tool call of the running turn, or nil.
func (c *Chat) Call(id string) *ToolCall {
	if c.ActiveTurn == nil {
		return nil
	}
	parts := c.ActiveTurn.ResponseParts
	for i := range slices.Backward(parts) { // a turn may have thousands; the latest run
		if call := parts[i].ToolCall; call != nil && call.ToolCallID == id {
			return call
		}
	}
	return nil
}

// base returns a call in a new status, with only the members that every status has.
func (t *ToolCall) base(status ToolCallStatus) ToolCall {
	return ToolCall{Status: status, ToolCallID: t.ToolCallID, ToolName: t.ToolName, DisplayName: t.DisplayName, Meta: t.Meta}
}

// applyToCall applies an action to a tool call.
func (c *Chat) applyToCall(a Action) {
	switch a := a.(type) {
	case *ToolCallStart:
		if t := c.active(a.TurnID); t != nil {
			call := &ToolCall{Status: CallStreaming, ToolCallID: a.ToolCallID, ToolName: a.ToolName, DisplayName: a.DisplayName}
			t.ResponseParts = append(t.ResponseParts, Part{Kind: PartToolCall, ToolCall: call})
		}
	case *ToolCallReady:
		c.change(a.TurnID, a.ToolCallID, a.apply)
	case *ToolCallConfirmed:
		c.change(a.TurnID, a.ToolCallID, a.apply)
	case *ToolCallContentChanged:
		c.change(a.TurnID, a.ToolCallID, func(t *ToolCall) {
			if t.Status == CallRunning {
				t.Content = a.Content
			}
		})
	case *ToolCallComplete:
		c.change(a.TurnID, a.ToolCallID, a.apply)
	}
}

func (c *Chat) change(turn, call string, apply func(*ToolCall)) {
	if c.active(turn) == nil {
		return
	}
	if t := c.Call(call); t != nil {
		changed := *t // a snapshot or an action may share the old value
		apply(&changed)
		before := t.Status
		*t = changed
		if before != t.Status && (before == CallPending || t.Status == CallPending) {
			c.refresh()
		}
	}
}

func (a *ToolCallReady) apply(t *ToolCall) {
	if t.Status == CallCompleted || t.Status == CallCancelled {
		return
	}
	t.Meta = cmp.Or(a.Meta, t.Meta)
	if a.Confirmed != "" {
		next := t.base(CallRunning)
		next.InvocationMessage, next.ToolInput, next.Confirmed = a.InvocationMessage, a.ToolInput, a.Confirmed
		*t = next
		return
	}
	next := t.base(CallPending)
	next.InvocationMessage, next.ToolInput = a.InvocationMessage, a.ToolInput
	next.ConfirmationTitle, next.Edits, next.Options = a.ConfirmationTitle, a.Edits, a.Options
	if t.Status == CallPending { // omitted members keep their values
		next.ConfirmationTitle = cmp.Or(next.ConfirmationTitle, t.ConfirmationTitle)
		next.Edits = cmp.Or(next.Edits, t.Edits)
		if next.Options == nil {
			next.Options = t.Options
		}
	}
	if t.Status != CallStreaming {
		next.ToolInput = cmp.Or(next.ToolInput, t.ToolInput)
	}
	*t = next
}

func (a *ToolCallConfirmed) apply(t *ToolCall) {
	if t.Status != CallPending {
		return
	}
	var selected *Option
	if i := slices.IndexFunc(t.Options, func(o Option) bool { return o.ID == a.SelectedOptionID }); i >= 0 {
		selected = &t.Options[i]
	}
	next := t.base(CallRunning)
	input := t.ToolInput
	if a.Approved {
		next.Confirmed = a.Confirmed
		if input != "" {
			input = cmp.Or(a.EditedToolInput, input)
		}
	} else {
		next = t.base(CallCancelled)
		next.Reason, next.ReasonMessage = a.Reason, a.ReasonMessage
	}
	next.InvocationMessage, next.ToolInput, next.SelectedOption = t.InvocationMessage, input, selected
	*t = next
}

func (a *ToolCallComplete) apply(t *ToolCall) {
	if t.Status != CallRunning && t.Status != CallPending {
		return
	}
	next := t.base(CallCompleted)
	next.InvocationMessage, next.ToolInput, next.Confirmed = t.InvocationMessage, t.ToolInput, ConfirmedNotNeeded
	if t.Status == CallRunning {
		next.Confirmed, next.SelectedOption = t.Confirmed, t.SelectedOption
	}
	success := a.Result.Success
	next.Success, next.PastTenseMessage, next.Content, next.Error = &success, a.Result.PastTenseMessage, a.Result.Content, a.Result.Error
	*t = next
}
