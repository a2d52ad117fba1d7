package normalize

import (
	"bytes"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// Fields are the parts of a tool call, or of the options, that a [Step]
// changes. A client that was shown all earlier steps needs nothing else.
type Fields uint16

// The fields of a tool call, and the session's options.
const (
	FieldTitle Fields = 1 << iota
	FieldName
	FieldKind
	FieldStatus
	FieldLocations
	FieldArgs
	FieldDiffs
	FieldParent
	FieldTerminals
	FieldOptions
)

// Has reports whether f includes all of other.
func (f Fields) Has(other Fields) bool { return f&other == other }

// shown is the state of a call after the earlier steps.
type shown struct {
	title, name, kind string
	parent            string
	status            Status
	locations         []agent.Location
	args              agent.Raw
	diffs             []agent.Diff
	terminals         int
}

// changes returns the fields of the call that no step has reported yet, and
// marks them as reported. The caller must show the step that it uses them
// for.
func (t *Tool) changes() Fields {
	var f Fields
	set := func(field Fields, same bool) {
		if !same {
			f |= field
		}
	}
	s := &t.shown
	set(FieldTitle, s.title == t.View.Title)
	set(FieldName, s.name == t.Name)
	set(FieldKind, s.kind == t.View.Kind)
	set(FieldStatus, s.status == t.Status)
	set(FieldLocations, slices.Equal(s.locations, t.View.Locations))
	set(FieldArgs, bytes.Equal(s.args, t.Args))
	set(FieldDiffs, slices.EqualFunc(s.diffs, t.View.Diffs, sameDiff))
	set(FieldParent, s.parent == t.Parent)
	set(FieldTerminals, s.terminals == len(t.Terminals))
	*s = shown{t.View.Title, t.Name, t.View.Kind, t.Parent, t.Status, t.View.Locations, t.Args, t.View.Diffs, len(t.Terminals)}
	return f
}

func sameDiff(a, b agent.Diff) bool {
	if (a.OldText == nil) != (b.OldText == nil) || a.OldText != nil && *a.OldText != *b.OldText {
		return false
	}
	return a.Path == b.Path && a.NewText == b.NewText && a.Line == b.Line
}

// sizeOf returns the total length of diffs, in bytes.
func sizeOf(diffs []agent.Diff) int {
	n := 0
	for _, d := range diffs {
		n += len(d.NewText)
		if d.OldText != nil {
			n += len(*d.OldText)
		}
	}
	return n
}

// yieldCall yields a step about a call that is not hidden.
func (t *Normalizer) yieldCall(s Step) {
	s.Changed = s.Tool.changes()
	t.yield(s)
}
