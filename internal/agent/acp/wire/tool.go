package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

var errNoID = errors.New("toolCallId is missing")

func (d *decoder) toolCall(raw []byte) error { return d.tool(raw, true) }

func (d *decoder) toolCallUpdate(raw []byte) error { return d.tool(raw, false) }

// tool decodes both kinds of updates about a call, because agents announce
// calls twice, and update calls that they have not announced.
func (d *decoder) tool(raw []byte, announces bool) error {
	var w wireCall
	if err := exactjson.Unmarshal(raw, &w); err != nil {
		return err
	}
	if w.ID == "" {
		return errNoID
	}
	d.echo.reset()
	c := d.calls.find(w.ID)
	first := c == nil || announces && c.isAnother(&w)
	if c == nil {
		if c = d.calls.claim(&w); c != nil {
			first = false
		}
	}
	if first {
		c = d.calls.add(w.ID)
	}
	if c.state == done {
		d.lateEnd(c, &w)
		return nil
	}
	left := d.announce(c, &w, first)
	d.progress(c, &w)
	if w.ends() {
		d.end(c, &w, left)
	}
	return nil
}

// isAnother reports whether an announcement with the id of c belongs to another
// call: c has ended, or has other arguments.
func (c *call) isAnother(w *wireCall) bool {
	return c.state == done ||
		c.sums[input] != 0 && len(w.RawInput) > 0 && c.sums[input] != sum(w.RawInput)
}

// describe returns the changes to a call's view, and records them.
func (c *call) describe(w *wireCall) (v agent.View, args agent.Raw, changed bool) {
	if w.Name != "" {
		c.name = w.Name
	}
	if c.differs(input, w.RawInput) {
		args, changed = bytes.Clone(w.RawInput), true
	}
	if c.differs(title, []byte(w.Title)) {
		v.Title, changed = w.Title, true
	}
	if c.differs(kind, []byte(w.Kind)) {
		v.Kind, changed = w.Kind, true
	}
	if c.differs(locations, w.Locations) {
		v.Locations, changed = w.locations(), true
	}
	return v, args, changed
}

// announce emits changes to a call before or while it runs. It returns the
// changes that the call's end should report.
func (d *decoder) announce(c *call, w *wireCall, first bool) (left agent.View) {
	ends := w.ends()
	v, args, changed := c.describe(w)
	if w.Content != nil && !ends {
		if diffs := c.diffs(w); diffs != nil {
			v.Diffs, changed = diffs, changed || c.sums[body] != sum(joined(w.Content))
		}
	}
	parent := w.meta().Parent
	switch {
	case w.Status == "in_progress" && c.state == waiting || first && ends:
		c.state = running
		d.say(&agent.ToolStart{ToolCallID: c.id, ToolName: c.name, Args: args, ParentToolCallID: parent, View: v})
	case first && args == nil:
		d.say(&agent.ToolPending{ToolCallID: c.id, ToolName: c.name, ParentToolCallID: parent, View: v})
	case ends && args == nil:
		return v
	case first || changed:
		d.say(&agent.ToolReady{ToolCallID: c.id, ToolName: c.name, Args: args, ParentToolCallID: parent, View: v})
	}
	return agent.View{}
}

// progress shows the content of a running call. The content of a call that does
// not run yet describes the call. It is held until the end, or until the user
// is asked whether the call may run.
func (d *decoder) progress(c *call, w *wireCall) {
	if len(w.RawOutput) > 0 && len(w.RawOutput) <= maxOutput {
		c.output = bytes.Clone(w.RawOutput)
	}
	if w.Content == nil || w.ends() || !c.differs(body, joined(w.Content)) {
		return
	}
	content := parseContent(w.Content)
	text, whole := content.text()
	c.items = nil
	if !whole {
		c.items = content.items
	}
	if c.state != running {
		c.about = bounded(text)
		return
	}
	if w.Adds != nil {
		d.say(&agent.ToolOutput{ToolCallID: c.id, Text: agent.NewText(text)})
		return
	}
	c.about = ""
	rest, goesOn := c.shown.rest(text)
	c.shown.set(text)
	if rest != "" || !goesOn {
		d.say(&agent.ToolOutput{ToolCallID: c.id, Text: agent.NewText(rest), Replace: !goesOn})
	}
	if percent := w.meta().Percent; percent != nil {
		d.say(&agent.ToolProgress{ToolCallID: c.id, ToolName: c.name, Percent: percent, Audience: agent.ForUser})
	}
}

// diffs returns the diffs in the content of w. If the content has lost its
// diffs, the result is empty but not nil, which withdraws the earlier ones.
func (c *call) diffs(w *wireCall) []agent.Diff {
	diffs := parseContent(w.Content).diffs
	if diffs == nil && c.changed {
		diffs = []agent.Diff{}
	}
	c.changed = len(diffs) > 0
	return diffs
}

func joined(raws []json.RawMessage) []byte {
	out := []byte{'['}
	for _, raw := range raws {
		out = append(append(out, raw...), ',')
	}
	return out
}

// end ends a call, with its final content.
func (d *decoder) end(c *call, w *wireCall, v agent.View) {
	m := w.meta()
	e := &agent.ToolEnd{
		ToolCallID: c.id,
		ToolName:   c.name,
		OK:         w.Status == "completed",
		Cancelled:  m.Cancelled && w.Status != "completed",
		DurationMS: max(0, m.Duration),
		ExitCode:   m.ExitCode,
		Structured: c.output,
		View:       v,
	}
	switch {
	case w.Content != nil:
		d.lastContent(c, w, e)
	case c.items != nil:
		e.Content = c.items
	case c.about != "":
		e.Result = agent.NewText(c.about)
	}
	c.hadContent = !e.Result.IsZero() || e.Content != nil || e.Structured != nil || e.Error != "" || c.shown.length > 0
	*c = call{id: c.id, name: c.name, state: done, hadContent: c.hadContent}
	d.say(e)
}

// lastContent adds the final content to e. Its first text may extend the call's
// output.
func (d *decoder) lastContent(c *call, w *wireCall, e *agent.ToolEnd) {
	last := parseContent(w.Content)
	e.Diffs = c.diffs(w)
	items := last.items
	text := ""
	if len(items) > 0 && items[0].Type == "text" {
		text, items = items[0].Text, items[1:]
	}
	if len(items) > 0 {
		e.Content = items
	}
	rest, goesOn := c.shown.rest(text)
	switch {
	case w.Adds != nil && strings.HasPrefix(text, "Error: "):
		e.OK = false // Agentao reports success even for failed calls
		e.Error = text
	case goesOn && c.shown.length > 0:
		if rest != "" {
			d.say(&agent.ToolOutput{ToolCallID: c.id, Text: agent.NewText(rest)})
		}
	default:
		e.Result = agent.NewText(text)
	}
}

// lateEnd uses a second end only if the first one had no content: some agents
// send every end twice.
func (d *decoder) lateEnd(c *call, w *wireCall) {
	if c.hadContent || !w.ends() {
		return
	}
	if w.Content != nil || len(w.RawOutput) > 0 {
		c.output = bytes.Clone(w.RawOutput)
		d.end(c, w, agent.View{})
	}
}
