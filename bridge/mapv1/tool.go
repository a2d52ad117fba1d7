package mapv1

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/internal/jsontext"
	"github.com/turnwire/turnwire/internal/visible"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// tool maps a step about a tool call: one tool_call at first sight, then
// updates with what is new.
func tool(s track.Step, c Client) []v1.Update {
	var out []v1.Update
	if s.First {
		f := whole(s.Tool, c)
		if isTerminal(s.Tool, c) {
			// Zed makes the terminal when it sees the call, and at no other time.
			f.Meta = with(f.Meta, "terminal_info", map[string]any{"terminal_id": s.Tool.ID})
		}
		out = append(out, &v1.ToolCall{ToolCallFields: f})
	}
	switch e := s.Event.(type) {
	case *agent.ToolReady, *agent.ToolStart, *agent.ToolPending, *agent.SubagentStart, *agent.ApprovalRequired:
		if !s.First {
			out = append(out, &v1.ToolCallUpdate{ToolCallFields: whole(s.Tool, c)})
		}
	case *agent.ToolProgress:
		out = append(out, progress(s, e))
	case *agent.ToolOutput:
		out = append(out, output(s, e, c)...)
	case *agent.ToolEnd:
		out = append(out, ended(s, e, c))
	case *agent.SubagentEnd:
		out = append(out, subagentEnded(s, e))
	}
	return out
}

// whole is everything that is known of a call. Repeating it costs little and
// lets a client that missed the beginning show it.
func whole(t *track.Tool, c Client) v1.ToolCallFields {
	f := v1.ToolCallFields{
		ToolCallID: t.ID,
		Title:      visible.Text(t.View.Title),
		Name:       visible.Text(t.Name),
		Kind:       kind(t.View.Kind),
		Status:     status(t),
		Locations:  locations(t.View.Locations),
		RawInput:   t.Args,
		Content:    diffs(t.View.Diffs),
		Meta:       parent(t),
	}
	if f.Title == "" {
		f.Title = "Tool call"
	}
	if isTerminal(t, c) && t.Status == track.Running {
		f.Content = append(f.Content, &v1.TerminalItem{TerminalID: t.ID})
	}
	return f
}

// isTerminal tells whether a call is shown as a terminal: Zed draws one from
// the _meta of tool calls, which costs no repetition of what was printed.
func isTerminal(t *track.Tool, c Client) bool {
	return c.TerminalMeta && t.View.Kind == string(v1.KindExecute)
}

// progress shows a message below what the call has printed: v1 replaces the
// content as a whole.
func progress(s track.Step, e *agent.ToolProgress) v1.Update {
	t := s.Tool
	f := v1.ToolCallFields{ToolCallID: t.ID, Status: v1.StatusInProgress, Meta: parent(t)}
	if e.Message != "" {
		f.Content = append(printed(s, diffs(t.View.Diffs)), v1.TextItem(words(e.Message)))
	}
	if e.Percent != nil {
		f.Meta = with(f.Meta, "turnwire.dev/percent", *e.Percent)
	}
	return &v1.ToolCallUpdate{ToolCallFields: f}
}

func output(s track.Step, e *agent.ToolOutput, c Client) []v1.Update {
	f := v1.ToolCallFields{ToolCallID: s.Tool.ID, Status: v1.StatusInProgress}
	switch {
	case isTerminal(s.Tool, c):
		if len(e.Text) == 0 {
			return nil // a flush: the terminal has it all
		}
		f.Meta = with(parent(s.Tool), "terminal_output", map[string]any{"terminal_id": s.Tool.ID, "data": e.Text})
	case s.Output != nil:
		f.Content = append(diffs(s.Tool.View.Diffs), v1.TextItem(s.Output))
		f.Meta = parent(s.Tool)
	default:
		return nil // it waits for more
	}
	return []v1.Update{&v1.ToolCallUpdate{ToolCallFields: f}}
}

func ended(s track.Step, e *agent.ToolEnd, c Client) v1.Update {
	t := s.Tool
	f := v1.ToolCallFields{
		ToolCallID: t.ID,
		Status:     status(t),
		Content:    diffs(t.View.Diffs),
		RawOutput:  e.Structured,
		Meta:       parent(t),
	}
	if e.Title != "" {
		f.Title = visible.Text(t.View.Title)
	}
	if e.Kind != "" {
		f.Kind = kind(t.View.Kind)
	}
	if e.Locations != nil {
		f.Locations = locations(t.View.Locations)
	}
	// A command that never ran has no terminal to show.
	terminal := isTerminal(t, c) && (e.ExitCode != nil || len(s.Output) > 0)
	if terminal {
		f.Content = append(f.Content, &v1.TerminalItem{TerminalID: t.ID})
		f.Meta = with(f.Meta, "terminal_exit", exit(t, e))
	}
	switch {
	case len(e.Result) > 0:
		f.Content = append(f.Content, v1.TextItem(e.Result))
	case len(s.Output) > 0 && !terminal:
		f.Content = append(f.Content, v1.TextItem(s.Output))
	}
	if e.Error != "" {
		f.Content = append(f.Content, v1.TextItem(jsontext.Quote(e.Error)))
	}
	for _, item := range e.Content {
		f.Content = append(f.Content, &v1.ContentItem{Content: block(item)})
	}
	if e.DurationMS > 0 {
		f.Meta = with(f.Meta, "turnwire.dev/durationMs", e.DurationMS)
	}
	if e.ExitCode != nil {
		f.Meta = with(f.Meta, "turnwire.dev/exitCode", *e.ExitCode)
	}
	if t.Cancelled {
		f.Meta = with(f.Meta, "turnwire.dev/cancelled", true)
	}
	return &v1.ToolCallUpdate{ToolCallFields: f}
}

func exit(t *track.Tool, e *agent.ToolEnd) map[string]any {
	out := map[string]any{"terminal_id": t.ID, "exit_code": nil, "signal": nil}
	if e.ExitCode != nil {
		out["exit_code"] = *e.ExitCode
	}
	return out
}

// printed appends what a call has printed.
func printed(s track.Step, to v1.ToolContents) v1.ToolContents {
	if len(s.Output) == 0 {
		return to
	}
	return append(to, v1.TextItem(s.Output))
}

// subagentEnded shows the result of a sub-agent in the place of what it said on
// its way there.
func subagentEnded(s track.Step, e *agent.SubagentEnd) v1.Update {
	t := s.Tool
	f := v1.ToolCallFields{ToolCallID: t.ID, Status: status(t), Meta: parent(t)}
	if e.Result == "" {
		f.Content = printed(s, f.Content)
	}
	for _, text := range []string{e.Result, e.Error} {
		if text != "" {
			f.Content = append(f.Content, v1.TextItem(track.Bounded(jsontext.Quote(text), track.MaxResult)))
		}
	}
	if e.DurationMS > 0 {
		f.Meta = with(f.Meta, "turnwire.dev/durationMs", e.DurationMS)
	}
	return &v1.ToolCallUpdate{ToolCallFields: f}
}

func status(t *track.Tool) v1.ToolCallStatus {
	switch t.Status {
	case track.Running:
		return v1.StatusInProgress
	case track.Completed:
		return v1.StatusCompleted
	case track.Failed:
		return v1.StatusFailed
	}
	return v1.StatusPending
}

// kind maps the kinds of an agent, which has the same names; an unknown one is
// "other", for v1's list is closed.
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

func diffs(ds []agent.Diff) v1.ToolContents {
	var out v1.ToolContents
	for _, d := range ds {
		out = append(out, &v1.DiffItem{Path: d.Path, OldText: d.OldText, NewText: d.NewText})
	}
	return out
}

// parent names the call that a sub-agent's call belongs to.
func parent(t *track.Tool) v1.Meta {
	if t.Parent == "" {
		return nil
	}
	return v1.Meta{"turnwire.dev/parentToolCallId": t.Parent}
}

func with(m v1.Meta, key string, value any) v1.Meta {
	if m == nil {
		m = make(v1.Meta, 1)
	}
	m[key] = value
	return m
}
