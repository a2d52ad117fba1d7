package ahpmap

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/linediff"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A call is a tool call and the state that was sent to clients.
type call struct {
	merged                 v1.ToolCallFields // without the content, which may be long
	id, name, title, input string
	content                []ahp.ToolContent
	status                 ahp.ToolCallStatus
	dirty                  bool // its content changed since it was last sent
	reworded               bool // its description is that of the request for its confirmation
}

// tool maps an update of a tool call.
func (m *Mapper) tool(f *v1.ToolCallFields) []ahp.Action {
	m.part = ""
	c, actions := m.call(f)
	if c.ended() {
		return actions
	}
	changed := c.merge(m, f)
	begun := f.Status == v1.StatusInProgress || f.Status == v1.StatusCompleted || f.Status == v1.StatusFailed
	switch {
	case c.status == ahp.CallStreaming && begun, c.status == ahp.CallRunning && changed:
		actions = append(actions, c.ready(m.turn, ahp.ConfirmedNotNeeded))
		c.status, c.dirty = ahp.CallRunning, len(c.content) > 0
	case c.status == ahp.CallRunning && c.reworded:
		actions = append(actions, c.ready(m.turn, ahp.ConfirmedByUser))
		c.reworded, c.dirty = false, len(c.content) > 0
	case c.status == ahp.CallPending && (f.Status == v1.StatusInProgress || f.Status == v1.StatusCompleted):
		// Another client was asked, and allowed it.
		c.status = ahp.CallRunning
		actions = append(actions, &ahp.ToolCallConfirmed{TurnID: m.turn, ToolCallID: c.id, Approved: true, Confirmed: ahp.ConfirmedByUser})
	}
	switch f.Status {
	case v1.StatusCompleted, v1.StatusFailed:
		actions = append(actions, c.complete(m.turn, f.Status == v1.StatusCompleted))
	}
	return actions
}

// call returns a call. If it is new, call also returns the action that starts it.
func (m *Mapper) call(f *v1.ToolCallFields) (*call, []ahp.Action) {
	if c := m.calls[f.ToolCallID]; c != nil {
		return c, nil
	}
	name := cmp.Or(f.Name, string(f.Kind), "tool")
	c := &call{id: f.ToolCallID, name: name, title: cmp.Or(f.Title, name), status: ahp.CallStreaming}
	m.calls[c.id] = c
	m.open = append(m.open, c)
	return c, []ahp.Action{&ahp.ToolCallStart{TurnID: m.turn, ToolCallID: c.id, ToolName: c.name, DisplayName: c.title}}
}

// merge applies an update, and reports whether the title or the input changed.
func (c *call) merge(m *Mapper, f *v1.ToolCallFields) (changed bool) {
	toolcall.Merge(&c.merged, f)
	if f.Content != nil {
		c.content, c.dirty = m.content(c.merged.Content), true
		c.merged.Content = nil
	}
	title, input := cmp.Or(c.merged.Title, c.title), c.input
	if len(f.RawInput) > 0 {
		input = cmp.Or(compact(c.merged.RawInput), c.input)
	}
	changed = title != c.title || input != c.input
	c.title, c.input = title, input
	return changed
}

// ready returns the description of a call that runs, or that waits for a confirmation if
// confirmed is empty. VS Code hides a call that was allowed, unless its kind is terminal.
// Of such a call it doesn't show the output, so no other call has that kind.
func (c *call) ready(turn, confirmed string) *ahp.ToolCallReady {
	a := &ahp.ToolCallReady{TurnID: turn, ToolCallID: c.id, InvocationMessage: ahp.Plain(c.title), ToolInput: c.input, Confirmed: confirmed}
	if command := c.command(); command != "" && confirmed == ahp.ConfirmedByUser {
		a.ToolInput, a.Meta = command, &ahp.CallMeta{Kind: ahp.KindTerminal}
	}
	return a
}

// command returns the command that a call runs, or "".
func (c *call) command() string {
	if c.merged.Kind != v1.KindExecute {
		return ""
	}
	return consent.Command(c.merged.RawInput)
}

func (c *call) complete(turn string, success bool) *ahp.ToolCallComplete {
	c.status, c.dirty = ahp.CallCompleted, false
	content := c.content
	if output := compact(c.merged.RawOutput); len(content) == 0 && output != "" {
		content = []ahp.ToolContent{textContent(v1.NewText(output))}
	}
	result := ahp.ToolResult{Success: success, PastTenseMessage: c.title, Content: content}
	if !success {
		result.Error = &ahp.ToolError{Message: cmp.Or(textOf(content), "The tool call failed.")}
	}
	return &ahp.ToolCallComplete{TurnID: turn, ToolCallID: c.id, Result: result}
}

// Flush returns the content of all running calls whose content changed since it was
// last sent.
func (m *Mapper) Flush() (actions []ahp.Action) {
	m.forgetEnded()
	for _, c := range m.open {
		if c.dirty && c.status == ahp.CallRunning {
			c.dirty = false
			actions = append(actions, &ahp.ToolCallContentChanged{TurnID: m.turn, ToolCallID: c.id, Content: c.content})
		}
	}
	return actions
}

// Waits reports whether Flush would return anything.
func (m *Mapper) Waits() bool {
	m.forgetEnded()
	for _, c := range m.open {
		if c.dirty && c.status == ahp.CallRunning {
			return true
		}
	}
	return false
}

// forgetEnded keeps Flush and Waits fast in turns with thousands of calls.
func (m *Mapper) forgetEnded() { m.open = slices.DeleteFunc(m.open, (*call).ended) }

func (c *call) ended() bool { return c.status == ahp.CallCompleted || c.status == ahp.CallCancelled }

// content maps the content of a call. Edits come first, because these are what clients
// show.
func (m *Mapper) content(items v1.ToolContents) []ahp.ToolContent {
	var edits, rest []ahp.ToolContent
	for _, item := range items {
		switch item := item.(type) {
		case *v1.DiffItem:
			e := m.edit(item)
			edits = append(edits, ahp.ToolContent{Type: ahp.ContentFileEdit, Before: e.Before, After: e.After, Diff: e.Diff})
		case *v1.ContentItem:
			rest = append(rest, blockContent(item.Content))
		}
	}
	return append(edits, rest...)
}

// edit returns a diff with separate URIs for both sides.
func (m *Mapper) edit(d *v1.DiffItem) ahp.FileEdit {
	side := func(text string) *ahp.FileEditSide {
		ref := ahp.ContentRef{SizeHint: len(text), ContentType: "text/plain"}
		if m.Keep != nil {
			ref.URI = m.Keep(d.Path, text)
		}
		return &ahp.FileEditSide{URI: FileURI(d.Path), Content: ref}
	}
	e := ahp.FileEdit{After: side(d.NewText), Diff: &ahp.DiffStats{}}
	before := ""
	if d.OldText != nil {
		before, e.Before = *d.OldText, side(*d.OldText)
	}
	for _, hunk := range linediff.Compare(before, d.NewText) {
		for _, line := range hunk {
			switch line.Kind {
			case linediff.Added:
				e.Diff.Added++
			case linediff.Removed:
				e.Diff.Removed++
			}
		}
	}
	return e
}

// planned shows a plan as a tool call, because AHP has no plans.
func (m *Mapper) planned(entries []v1.PlanEntry) (actions []ahp.Action) {
	m.part = ""
	if m.plan == nil {
		m.plan = &call{id: "plan-" + m.turn, name: "plan", title: "Plan"}
		m.open = append(m.open, m.plan)
		actions = append(actions, &ahp.ToolCallStart{TurnID: m.turn, ToolCallID: m.plan.id, ToolName: "plan", DisplayName: "Plan"}, m.plan.ready(m.turn, ahp.ConfirmedNotNeeded))
		m.plan.status = ahp.CallRunning
	}
	var text bytes.Buffer
	for _, e := range entries {
		mark := "- [ ] "
		switch e.Status {
		case "completed":
			mark = "- [x] "
		case "in_progress":
			mark = "- [ ] ▸ "
		}
		text.WriteString(mark + e.Content + "\n")
	}
	m.plan.content, m.plan.dirty = []ahp.ToolContent{textContent(v1.NewText(text.String()))}, true
	return append(actions, m.Flush()...)
}

// compact returns JSON in the form in which clients show it; a string is unquoted.
func compact(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if raw[0] == '"' {
		return rawmsg.Text(raw)
	}
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return ""
	}
	return out.String()
}

func textOf(content []ahp.ToolContent) string {
	for _, c := range content {
		if c.Text != nil {
			return c.Text.String()
		}
	}
	return ""
}
