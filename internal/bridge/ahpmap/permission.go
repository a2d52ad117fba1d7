package ahpmap

import (
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Request maps a permission request: the call waits for a confirmation.
func (m *Mapper) Request(r *v1.RequestPermissionRequest) []ahp.Action {
	m.part = ""
	c, actions := m.call(&r.ToolCall.ToolCallFields)
	c.merge(m, &r.ToolCall.ToolCallFields)
	c.status = ahp.CallPending
	ready := &ahp.ToolCallReady{
		TurnID: m.turn, ToolCallID: c.id, InvocationMessage: c.title, ToolInput: c.input, ConfirmationTitle: c.title, Options: []ahp.Option{},
	}
	for _, o := range r.Options {
		kind := ahp.Deny
		if approves(o.Kind) {
			kind = ahp.Approve
		}
		ready.Options = append(ready.Options, ahp.Option{ID: o.OptionID, Label: o.Name, Kind: kind})
	}
	for _, item := range c.content {
		if item.Type == ahp.ContentFileEdit {
			if ready.Edits == nil {
				ready.Edits = &ahp.Edits{}
			}
			ready.Edits.Items = append(ready.Edits.Items, ahp.FileEdit{Before: item.Before, After: item.After, Diff: item.Diff})
		}
	}
	return append(actions, ready)
}

func approves(kind v1.PermissionOptionKind) bool {
	return kind == v1.AllowOnce || kind == v1.AllowAlways
}

// Decide returns the option that a confirmation selects. If it names none, Decide takes
// the option that applies only once; it never infers a broader one. ok is false if the
// confirmation contradicts the option, or if no option fits. A denial without a fitting
// option becomes the outcome cancelled.
func Decide(r *v1.RequestPermissionRequest, a *ahp.ToolCallConfirmed) (outcome v1.PermissionOutcome, ok bool) {
	i := slices.IndexFunc(r.Options, func(o v1.PermissionOption) bool {
		if a.SelectedOptionID != "" {
			return o.OptionID == a.SelectedOptionID
		}
		return a.Approved && o.Kind == v1.AllowOnce || !a.Approved && o.Kind == v1.RejectOnce
	})
	switch {
	case i >= 0 && approves(r.Options[i].Kind) == a.Approved:
		return v1.PermissionOutcome{Outcome: v1.OutcomeSelected, OptionID: r.Options[i].OptionID}, true
	case i < 0 && !a.Approved && a.SelectedOptionID == "":
		return v1.PermissionOutcome{Outcome: v1.OutcomeCancelled}, true
	}
	return v1.PermissionOutcome{}, false
}

// Confirmed records that a call was confirmed or denied.
func (m *Mapper) Confirmed(callID string, approved bool) {
	if c := m.calls[callID]; c != nil && c.status == ahp.CallPending {
		c.status = ahp.CallCancelled
		if approved {
			c.status = ahp.CallRunning
			c.dirty = len(c.content) > 0
		}
	}
}

// Chosen maps another client's answer. It returns nil if the call does not wait for a
// confirmation.
func (m *Mapper) Chosen(r *v1.RequestPermissionRequest, option string) []ahp.Action {
	c := m.calls[r.ToolCall.ToolCallID]
	i := slices.IndexFunc(r.Options, func(o v1.PermissionOption) bool { return o.OptionID == option })
	if c == nil || c.status != ahp.CallPending {
		return nil
	}
	a := &ahp.ToolCallConfirmed{TurnID: m.turn, ToolCallID: c.id, SelectedOptionID: option, Reason: ahp.ReasonDenied}
	if i >= 0 && approves(r.Options[i].Kind) {
		a.Approved, a.Confirmed, a.Reason = true, ahp.ConfirmedByUser, ""
	}
	m.Confirmed(c.id, a.Approved)
	return []ahp.Action{a}
}
