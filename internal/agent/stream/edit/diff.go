package edit

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/linediff"
)

const (
	// maxWhole bounds the two texts of a diff together, in bytes. Larger files
	// are shown as the parts that change.
	maxWhole = 64 << 10
	// MaxDiffs bounds all texts of the diffs of one call together.
	MaxDiffs = 256 << 10
)

// Diffs returns what r changes in the file at path: one diff of the whole file,
// or of a large file one for each part that changes. It returns nil if nothing
// changes or they are longer than limit: a diff with a gap would be wrong. line
// is the first line that changes, from 1.
func Diffs(path string, r Result, limit int) (diffs []agent.Diff, line int) {
	if r.Old == nil {
		if len(r.New) > limit {
			return nil, 0
		}
		return []agent.Diff{{Path: path, NewText: r.New}}, 1
	}
	if *r.Old == r.New {
		return nil, 0
	}
	line = firstChange(*r.Old, r.New)
	if n := len(*r.Old) + len(r.New); n <= maxWhole && n <= limit {
		return []agent.Diff{{Path: path, OldText: r.Old, NewText: r.New}}, line
	}
	size := 0
	for _, h := range linediff.Compare(*r.Old, r.New) {
		before, after := sides(h)
		if size += len(before) + len(after); size > limit {
			return nil, 0
		}
		diffs = append(diffs, agent.Diff{Path: path, OldText: &before, NewText: after})
	}
	return diffs, line
}

// sides returns the text of a hunk before and after the change.
func sides(h linediff.Hunk) (before, after string) {
	var b, a strings.Builder
	for _, l := range h {
		if l.Kind != linediff.Added {
			b.WriteString(l.Text)
		}
		if l.Kind != linediff.Removed {
			a.WriteString(l.Text)
		}
	}
	return b.String(), a.String()
}

// firstChange returns the number of the first line that differs.
func firstChange(a, b string) int {
	n := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			n++
		}
	}
	return n
}
