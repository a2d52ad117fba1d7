package normalize_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

// told is a client's knowledge of a call if it is shown only the changed
// fields.
type told struct {
	title, name, kind, parent string
	status                    normalize.Status
	locations                 []agent.Location
	args                      string
	diffs                     []agent.Diff
}

func (c *told) apply(s normalize.Step) {
	t := s.Tool
	set := func(field normalize.Fields, do func()) {
		if s.First || s.Changed.Has(field) {
			do()
		}
	}
	set(normalize.FieldTitle, func() { c.title = t.View.Title })
	set(normalize.FieldName, func() { c.name = t.Name })
	set(normalize.FieldKind, func() { c.kind = t.View.Kind })
	set(normalize.FieldParent, func() { c.parent = t.Parent })
	set(normalize.FieldStatus, func() { c.status = t.Status })
	set(normalize.FieldLocations, func() { c.locations = t.View.Locations })
	set(normalize.FieldArgs, func() { c.args = string(t.Args) })
	set(normalize.FieldDiffs, func() { c.diffs = t.View.Diffs })
}

// require checks that the client knows the whole state of the call.
func (c *told) require(t *testing.T, s normalize.Step) {
	t.Helper()
	tool := s.Tool
	args, diffs := string(tool.Args), tool.View.Diffs
	if tool.Status.Terminal() && args == "" && diffs == nil {
		args, diffs = c.args, c.diffs // a second end: the first one has freed what the client knows
	}
	require.Equal(t, told{
		tool.View.Title, tool.Name, tool.View.Kind, tool.Parent, tool.Status,
		tool.View.Locations, args, diffs,
	}, *c, "%T", s.Event)
}

// ofNoCall reports whether an event does not change a call itself.
func ofNoCall(e agent.Event) bool {
	switch e.(type) {
	case *agent.ToolArgsDelta, *agent.ConfirmationResolved, *agent.ApprovalResponse:
		return true
	}
	return false
}
