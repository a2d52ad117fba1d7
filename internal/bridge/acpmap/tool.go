package acpmap

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/edit"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// tool maps a step about a tool call: to a tool_call when the call first appears, then
// to updates with the changes.
func tool(s normalize.Step, c Client) []v1.Update {
	var out []v1.Update
	if s.First {
		f := whole(s.Tool, c)
		if isTerminal(s.Tool, c) {
			// Zed creates the terminal when it first sees the call, not later.
			f.Meta = with(f.Meta, "terminal_info", map[string]any{"terminal_id": s.Tool.ID})
		}
		out = append(out, &v1.ToolCall{ToolCallFields: f})
		s.Changed = 0
	}
	f, isNew := changed(s, c)
	switch e := s.Event.(type) {
	case *agent.ToolProgress:
		isNew = progress(&f, s, e) || isNew
	case *agent.ToolOutput:
		isNew = output(&f, s, e, c) || isNew
	case *agent.ToolEnd:
		ended(&f, s, e, c)
		isNew = true
	case *agent.SubagentEnd:
		subagentEnded(&f, s, e)
		isNew = true
	}
	if isNew {
		out = append(out, &v1.ToolCallUpdate{ToolCallFields: f})
	}
	return out
}

// whole returns the complete state of a call.
func whole(t *normalize.Tool, c Client) v1.ToolCallFields {
	f := v1.ToolCallFields{
		ToolCallID: t.ID,
		Title:      title(t),
		Name:       visible.Text(t.Name),
		Kind:       kind(t.View.Kind),
		Status:     status(t),
		Locations:  locations(t.View.Locations),
		RawInput:   t.Args,
		Content:    content(t, c),
		Meta:       parent(t),
	}
	return f
}

// changed returns a call's changed fields, and reports whether there are any. Unchanged
// fields are omitted, because some clients take repeated arguments for another call.
func changed(s normalize.Step, c Client) (f v1.ToolCallFields, shown bool) {
	t := s.Tool
	f.ToolCallID = t.ID
	if s.Changed.Has(normalize.FieldTitle) {
		f.Title = title(t)
	}
	if s.Changed.Has(normalize.FieldName) {
		f.Name = visible.Text(t.Name)
	}
	if s.Changed.Has(normalize.FieldKind) {
		f.Kind = kind(t.View.Kind)
	}
	if s.Changed.Has(normalize.FieldStatus) {
		f.Status = status(t)
	}
	if s.Changed.Has(normalize.FieldLocations) {
		f.Locations = locations(t.View.Locations)
	}
	if s.Changed.Has(normalize.FieldArgs) {
		f.RawInput = t.Args
	}
	if s.Changed.Has(normalize.FieldParent) {
		f.Meta = parent(t)
	}
	begins := s.Changed.Has(normalize.FieldStatus) && t.Status == normalize.Running && isTerminal(t, c)
	if s.Changed.Has(normalize.FieldDiffs) || s.Changed.Has(normalize.FieldTerminals) || begins {
		f.Content = content(t, c)
	}
	return f, s.Changed != 0
}

func title(t *normalize.Tool) string {
	if t.View.Title == "" {
		return "Tool call"
	}
	return visible.Text(t.View.Title)
}

// content returns the content of a call that has no output yet.
func content(t *normalize.Tool, c Client) v1.ToolContents {
	out := changes(t)
	if isTerminal(t, c) && t.Status == normalize.Running {
		out = append(out, &v1.TerminalItem{TerminalID: t.ID})
	}
	return out
}

// isTerminal reports whether a call is shown as a terminal. Zed draws a terminal from
// the _meta of tool calls, so the output need not be sent repeatedly. A call that
// already shows one of the editor's terminals needs no other.
func isTerminal(t *normalize.Tool, c Client) bool {
	return c.TerminalMeta && t.View.Kind == string(v1.KindExecute) && len(t.Terminals) == 0
}

// progress shows a message below the call's output, which must be repeated because v1
// replaces the whole content.
func progress(f *v1.ToolCallFields, s normalize.Step, e *agent.ToolProgress) (shown bool) {
	if e.Message != "" {
		f.Content = append(printed(s, changes(s.Tool)), v1.TextItem(boundedText(e.Message)))
	}
	if e.Percent != nil {
		note(f, s.Tool, "turnwire.dev/percent", *e.Percent)
	}
	return e.Message != "" || e.Percent != nil
}

func output(f *v1.ToolCallFields, s normalize.Step, e *agent.ToolOutput, c Client) (shown bool) {
	switch {
	case isTerminal(s.Tool, c):
		if e.Text.IsZero() {
			return false // a flush: the terminal already has everything
		}
		note(f, s.Tool, "terminal_output", map[string]any{"terminal_id": s.Tool.ID, "data": e.Text})
	case !s.Output.IsZero():
		f.Content = append(changes(s.Tool), v1.TextItem(s.Output))
	default:
		return false // wait for more
	}
	return true
}

func ended(f *v1.ToolCallFields, s normalize.Step, e *agent.ToolEnd, c Client) {
	t := s.Tool
	f.Status = status(t) // a second end repeats the status
	f.RawOutput = e.Structured
	f.Content = changes(t)
	// A command that never ran has no terminal to show.
	terminal := isTerminal(t, c) && (e.ExitCode != nil || !s.Output.IsZero())
	if terminal {
		f.Content = append(f.Content, &v1.TerminalItem{TerminalID: t.ID})
		note(f, s.Tool, "terminal_exit", exit(t, e))
	}
	switch {
	case !e.Result.IsZero():
		f.Content = append(f.Content, v1.TextItem(e.Result))
	case !s.Output.IsZero() && !terminal:
		f.Content = append(f.Content, v1.TextItem(s.Output))
	}
	if e.Error != "" {
		f.Content = append(f.Content, v1.TextItem(v1.NewText(e.Error)))
	}
	for _, item := range e.Content {
		f.Content = append(f.Content, &v1.ContentItem{Content: block(item)})
	}
	if e.DurationMS > 0 {
		note(f, s.Tool, "turnwire.dev/durationMs", e.DurationMS)
	}
	if e.ExitCode != nil {
		note(f, s.Tool, "turnwire.dev/exitCode", *e.ExitCode)
	}
	if t.Cancelled {
		note(f, s.Tool, "turnwire.dev/cancelled", true)
	}
}

func exit(t *normalize.Tool, e *agent.ToolEnd) map[string]any {
	out := map[string]any{"terminal_id": t.ID, "exit_code": nil, "signal": nil}
	if e.ExitCode != nil {
		out["exit_code"] = *e.ExitCode
	}
	return out
}

// printed appends the output of a call.
func printed(s normalize.Step, to v1.ToolContents) v1.ToolContents {
	if s.Output.IsZero() {
		return to
	}
	return append(to, v1.TextItem(s.Output))
}

// subagentEnded shows a sub-agent's result instead of its earlier output.
func subagentEnded(f *v1.ToolCallFields, s normalize.Step, e *agent.SubagentEnd) {
	f.Status = status(s.Tool)
	if e.Result == "" {
		f.Content = printed(s, f.Content)
	}
	for _, text := range []string{e.Result, e.Error} {
		if text != "" {
			f.Content = append(f.Content, v1.TextItem(normalize.Bounded(v1.NewText(text), normalize.MaxResult)))
		}
	}
	if e.DurationMS > 0 {
		note(f, s.Tool, "turnwire.dev/durationMs", e.DurationMS)
	}
}

func status(t *normalize.Tool) v1.ToolCallStatus {
	switch t.Status {
	case normalize.Running:
		return v1.StatusInProgress
	case normalize.Completed:
		return v1.StatusCompleted
	case normalize.Failed:
		return v1.StatusFailed
	}
	return v1.StatusPending
}

// kind maps an agent's kind, which has the same name in v1. An unknown kind becomes
// "other", because v1's list is closed.
func kind(k string) v1.ToolKind {
	if slices.Contains(v1.ToolKinds, v1.ToolKind(k)) {
		return v1.ToolKind(k)
	}
	return v1.KindOther
}

func locations(ls []agent.Location) []v1.Location {
	var out []v1.Location
	for _, l := range ls {
		loc := v1.Location{Path: l.Path}
		if l.Line > 0 {
			line := l.Line
			loc.Line = &line
		}
		out = append(out, loc)
	}
	return out
}

// changes returns what a call shows besides its output: its file changes and the
// editor's terminals.
func changes(t *normalize.Tool) v1.ToolContents {
	out := written(t)
	for _, id := range t.Terminals {
		out = append(out, &v1.TerminalItem{TerminalID: id})
	}
	return out
}

// written returns the diffs of a call. If the earlier content of a file is unknown, it
// returns the file's new text, because users can't read that in the arguments.
func written(t *normalize.Tool) v1.ToolContents {
	out := diffs(t.View.Diffs)
	if out != nil || t.View.Diffs != nil || t.View.Kind != string(v1.KindEdit) {
		return out
	}
	var room [8]toolargs.Member
	for _, c := range edit.Of(t.Name, toolargs.Parse(room[:0], t.Args)) {
		if text, ok := c.Whole(); ok && text != "" {
			out = append(out, v1.TextItem(normalize.Bounded(v1.NewText(fenced(visible.Text(text))), edit.MaxDiffs)))
		}
	}
	return out
}

func diffs(ds []agent.Diff) v1.ToolContents {
	var out v1.ToolContents
	for _, d := range ds {
		item := &v1.DiffItem{Path: d.Path, OldText: d.OldText, NewText: d.NewText}
		if d.Line > 0 {
			item.Meta = v1.Meta{v1.LineMeta: d.Line}
		}
		out = append(out, item)
	}
	return out
}

// parent returns the _meta that names the parent of a sub-agent's call.
func parent(t *normalize.Tool) v1.Meta {
	if t.Parent == "" {
		return nil
	}
	return v1.Meta{"turnwire.dev/parentToolCallId": t.Parent}
}

// note adds an entry to the _meta of an update. It includes the parent, because the
// update replaces the client's whole _meta.
func note(f *v1.ToolCallFields, t *normalize.Tool, key string, value any) {
	if f.Meta == nil {
		f.Meta = parent(t)
	}
	f.Meta = with(f.Meta, key, value)
}

func with(m v1.Meta, key string, value any) v1.Meta {
	if m == nil {
		m = make(v1.Meta, 1)
	}
	m[key] = value
	return m
}
