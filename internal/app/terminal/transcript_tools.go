package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// The bridge's keys in a call's _meta.
const (
	durationMeta  = "turnwire.dev/durationMs" // if absent, the time between the call's updates is shown
	exitCodeMeta  = "turnwire.dev/exitCode"
	cancelledMeta = "turnwire.dev/cancelled"
)

// tool returns the call with the given id. It adds the call if it is new.
func (t *transcript) tool(id string) *toolCall {
	for _, tool := range t.running {
		if tool.ToolCallID == id {
			return tool
		}
	}
	tool := &toolCall{began: t.now()}
	t.running = append(t.running, tool)
	return tool
}

func (t *transcript) toolUpdate(f *v1.ToolCallFields) {
	if t.ended[f.ToolCallID] {
		return
	}
	tool := t.tool(f.ToolCallID)
	tool.merge(f)
	if tool.finished() {
		t.finish(tool)
		return
	}
	// A pending call may still receive its title or its input.
	if t.announce && !tool.announced && tool.Status == v1.StatusInProgress {
		tool.announced = true
		t.begin(sectionTool)
		t.out.print(t.st.dim("▸ " + tool.caption()))
	}
}

func (t *transcript) finish(tool *toolCall) {
	t.ended[tool.ToolCallID] = true
	t.running = slices.DeleteFunc(t.running, func(o *toolCall) bool { return o == tool })
	t.begin(sectionTool)
	mark := t.st.green("✓")
	switch {
	case tool.refused, tool.Meta[cancelledMeta] == true:
		mark = t.st.yellow("–")
	case tool.Status == v1.StatusFailed:
		mark = t.st.fail("✗")
	}
	var facts []string
	if d := t.duration(tool); d != "" {
		facts = append(facts, d)
	}
	code := tool.exitCode
	if own, ok := tool.Meta[exitCodeMeta].(float64); ok {
		code = own
	}
	if code != 0 {
		facts = append(facts, fmt.Sprintf("exit code %.0f", code))
	}
	row := mark + " " + tool.caption()
	if len(facts) > 0 {
		row += t.st.dim(" (" + strings.Join(facts, ", ") + ")")
	}
	t.out.print(row)
	t.out.print(indent("    ", t.result(tool))...)
}

// result returns the rows below a finished call. It omits the content of files that were
// read, which is meant for the agent. It omits a diff that the user has just approved,
// unless the actual change differs.
func (t *transcript) result(tool *toolCall) []string {
	var rows []string
	if tool.Status == v1.StatusCompleted {
		if diffs := tool.diffs(t.st); !slices.Equal(diffs, tool.proposed) {
			rows = t.cut(tool.caption(), diffs, 4*t.limit)
		}
	}
	if tool.Kind == v1.KindRead && tool.Status == v1.StatusCompleted {
		return rows
	}
	for _, row := range t.cut(tool.caption(), tool.text(), t.limit) {
		rows = append(rows, t.st.dim(row))
	}
	return rows
}

// duration returns how long a call took, or "" if unknown.
func (t *transcript) duration(tool *toolCall) string {
	d := t.now().Sub(tool.began)
	if ms, ok := tool.Meta[durationMeta].(float64); ok && ms >= 0 && ms < 1e12 {
		d = time.Duration(ms * float64(time.Millisecond))
	} else if t.past {
		return ""
	}
	return duration(d)
}

// duration formats a duration for the user.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
}

// worked returns how long the turn took so far, without the time that it waited for the
// user.
func (t *transcript) worked() time.Duration {
	now := t.now()
	if !t.asked.IsZero() {
		now = t.asked
	}
	return now.Sub(t.began) - t.waited
}

// summary returns the last row of a successful turn.
func (t *transcript) summary() string {
	s := "done in " + duration(t.worked())
	if t.used > 0 {
		s += " · " + strconv.FormatUint(t.used, 10) + " tokens"
	}
	if t.cost != nil {
		s += fmt.Sprintf(" · %.4g %s", t.cost.Amount, cleanLine(t.cost.Currency))
	}
	return s
}

// plan shows the whole plan if its entries changed, and otherwise only the entries whose
// status changed.
func (t *transcript) plan(entries []v1.PlanEntry) {
	same := len(entries) == len(t.entries) && len(entries) > 0
	for i := 0; same && i < len(entries); i++ {
		same = entries[i].Content == t.entries[i].Content
	}
	var rows []string
	for i, e := range entries {
		if !same || e.Status != t.entries[i].Status {
			rows = append(rows, t.planRow(e))
		}
	}
	t.entries = entries
	if len(rows) == 0 {
		return
	}
	t.begin(sectionPlan)
	if !same {
		t.out.print(t.st.bold("Plan"))
	}
	t.out.print(indent("  ", rows)...)
}

func (t *transcript) planRow(e v1.PlanEntry) string {
	text := cleanLine(e.Content)
	switch e.Status {
	case "completed":
		return t.st.green("✓") + " " + t.st.dim(text)
	case "in_progress":
		return t.st.accent("▸") + " " + text
	}
	return "○ " + text
}

// subject returns the call of a permission request, merged with the request's fields.
func (t *transcript) subject(f *v1.ToolCallFields) *toolCall {
	tool := new(toolCall)
	if !t.ended[f.ToolCallID] {
		tool = t.tool(f.ToolCallID)
	}
	tool.merge(f)
	return tool
}

// decided restarts the call's clock, so that the user's reading time doesn't count. It
// drops the text that the user has read, which is not output. A refused call counts as
// refused, not as failed.
func (t *transcript) decided(tool *toolCall, allowed bool) {
	tool.refused, tool.began = !allowed, t.now()
	tool.rows = nil
	tool.Content = slices.DeleteFunc(slices.Clone(tool.Content), func(c v1.ToolContent) bool {
		_, text := textOf(c)
		return text
	})
}
