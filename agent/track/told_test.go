package track_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
)

// told is what a client knows of a call that is shown what the steps say has
// changed.
type told struct {
	title, name, kind, parent string
	status                    track.Status
	locations                 []agent.Location
	args                      string
	diffs                     []agent.Diff
}

func (c *told) apply(s track.Step) {
	t := s.Tool
	set := func(field track.Fields, do func()) {
		if s.First || s.Changed.Has(field) {
			do()
		}
	}
	set(track.FieldTitle, func() { c.title = t.View.Title })
	set(track.FieldName, func() { c.name = t.Name })
	set(track.FieldKind, func() { c.kind = t.View.Kind })
	set(track.FieldParent, func() { c.parent = t.Parent })
	set(track.FieldStatus, func() { c.status = t.Status })
	set(track.FieldLocations, func() { c.locations = t.View.Locations })
	set(track.FieldArgs, func() { c.args = string(t.Args) })
	set(track.FieldDiffs, func() { c.diffs = t.View.Diffs })
}

// require wants the client to know all that there is to know.
func (c *told) require(t *testing.T, s track.Step) {
	t.Helper()
	tool := s.Tool
	require.Equal(t, told{
		tool.View.Title, tool.Name, tool.View.Kind, tool.Parent, tool.Status,
		tool.View.Locations, string(tool.Args), tool.View.Diffs,
	}, *c, "%T", s.Event)
}

// ofNoCall reports whether an event says nothing of a call itself.
func ofNoCall(e agent.Event) bool {
	switch e.(type) {
	case *agent.ToolArgsDelta, *agent.ConfirmationResolved, *agent.ApprovalResponse:
		return true
	}
	return false
}
