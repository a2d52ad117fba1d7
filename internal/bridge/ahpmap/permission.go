package ahpmap

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// Request maps a permission request: the call waits for a confirmation.
func (m *Mapper) Request(r *v1.RequestPermissionRequest) []ahp.Action {
	m.part = ""
	c, actions := m.call(&r.ToolCall.ToolCallFields)
	c.merge(m, &r.ToolCall.ToolCallFields)
	c.status = ahp.CallPending
	ready := c.ready(m.turn, "")
	ready.ConfirmationTitle, ready.Options = c.title, []ahp.Option{}
	c.explain(ready, r.ToolCall.Content)
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

// explain lets a request say what the title doesn't: the command, as code, and the reasons.
// VS Code offers the agent's options only if the call has no kind, so the kind must wait.
func (c *call) explain(ready *ahp.ToolCallReady, content v1.ToolContents) {
	c.reworded = true
	reasons := reasonsOf(content)
	switch command := c.command(); {
	case command != "":
		if strings.Contains(c.title, command[:min(len(command), 16)]) { // a title is cut, and not code
			ready.ConfirmationTitle = "Run this command?"
		}
		ready.InvocationMessage = ahp.Prose{Text: strings.TrimSpace(fenced(command) + "\n\n" + reasons), Markdown: true}
		if onlyCommand(c.merged.RawInput) {
			ready.ToolInput = "" // otherwise the command would be shown twice
		}
	case reasons != "":
		ready.InvocationMessage = ahp.Prose{Text: reasons, Markdown: true}
	default:
		c.reworded = false
	}
}

// onlyCommand reports whether the arguments of a call consist of its command.
func onlyCommand(arguments []byte) bool {
	var members map[string]json.RawMessage
	return exactjson.Unmarshal(arguments, &members) == nil && len(members) == 1
}

// reasonsOf returns the texts of a request. It omits code blocks, which repeat the command
// or the text of a file.
func reasonsOf(content v1.ToolContents) string {
	var reasons []string
	for _, item := range content {
		of, _ := item.(*v1.ContentItem)
		if of == nil {
			continue
		}
		if block, ok := of.Content.(*v1.TextBlock); ok && !strings.HasPrefix(block.Text.String(), "```") {
			reasons = append(reasons, block.Text.String())
		}
	}
	return strings.Join(reasons, "\n\n")
}

// fenced returns a command as a Markdown code block, whatever it contains.
func fenced(command string) string {
	fence := "```"
	for strings.Contains(command, fence) {
		fence += "`"
	}
	return fence + "sh\n" + visible.Text(command) + "\n" + fence
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
