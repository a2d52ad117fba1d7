package normalize

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
)

// describe computes the view of a call from what the agent sent.
func (t *Normalizer) describe(tool *Tool) {
	tool.View = toolview.Describe(t.table, tool.given, tool.Name, tool.Args, t.cwd)
	if t.files == nil || tool.given.Diffs != nil || tool.Args == nil || tool.hidden || tool.Status.Terminal() {
		return
	}
	v := t.files.CaptureBefore(tool)
	if v.Diffs != nil {
		tool.View.Diffs = v.Diffs
	}
	for i := range tool.View.Locations {
		l := &tool.View.Locations[i]
		if at := slices.IndexFunc(v.Locations, func(o agent.Location) bool { return o.Path == l.Path }); at >= 0 && l.Line == 0 {
			l.Line = v.Locations[at].Line
		}
	}
}

// describeEnd completes the view of an ended call. If the call succeeded and
// the agent sent no diffs, it adds the diffs of the changed files.
func (t *Normalizer) describeEnd(tool *Tool, end agent.View) {
	if !isEmpty(end) {
		tool.given = merge(tool.given, end)
		diffs := tool.View.Diffs
		t.describe(tool)
		if tool.given.Diffs == nil {
			tool.View.Diffs = diffs
		}
	}
	if t.files == nil || tool.given.Diffs != nil || tool.hidden || tool.Status != Completed {
		return
	}
	if diffs, ok := t.files.CaptureAfter(tool); ok {
		tool.View.Diffs = diffs
	}
}
