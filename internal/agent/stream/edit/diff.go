package edit

import (
	"cmp"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/linediff"
)

const (
	// maxWhole limits the two texts of a diff together, in bytes. Larger files
	// are shown as separate hunks.
	maxWhole = 64 << 10
	// MaxDiffs limits all texts in the diffs of one call together, in bytes.
	MaxDiffs = 256 << 10
)

// Diffs returns the changes of r to the file at path: one diff of the whole
// file, or one for each hunk if the file is large. It returns nil if nothing
// changes, or if the diffs are longer than limit: an incomplete diff would be
// wrong. line is the first changed line, from 1.
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
		before, after, at := sides(h)
		if size += len(before) + len(after); size > limit {
			return nil, 0
		}
		diffs = append(diffs, agent.Diff{Path: path, OldText: &before, NewText: after, Line: at})
	}
	return diffs, line
}

// sides returns a hunk's text before and after the change, and the number of the first
// line of the latter. It is 0 if that is empty.
func sides(h linediff.Hunk) (before, after string, at int) {
	var b, a strings.Builder
	for _, l := range h {
		if l.Kind != linediff.Added {
			b.WriteString(l.Text)
		}
		if l.Kind != linediff.Removed {
			a.WriteString(l.Text)
			at = cmp.Or(at, l.Number)
		}
	}
	return b.String(), a.String(), at
}

// firstChange returns the number of the first line that differs, from 1.
func firstChange(a, b string) int {
	n := 1
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			n++
		}
	}
	return n
}
