package transcript

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/linediff"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// maxDiff is the largest total size of the two sides that are compared line by line, in
// bytes. Larger diffs show one text replaced by another.
const maxDiff = 2 << 20

// A diffLine is one line of a rendered diff. mark is '+', '-', ' ', or '@' between two
// hunks.
type diffLine struct {
	mark byte
	text string
}

// diffLines returns the lines of a rendered diff.
func diffLines(d *v1.DiffItem) []diffLine {
	before := ""
	if d.OldText != nil {
		before = *d.OldText
	}
	compare := linediff.Compare
	if len(before)+len(d.NewText) > maxDiff {
		compare = linediff.Replace
	}
	var lines []diffLine
	for i, hunk := range compare(before, d.NewText) {
		if i > 0 {
			lines = append(lines, diffLine{'@', "⋯"})
		}
		for _, l := range hunk {
			text, ended := strings.CutSuffix(l.Text, "\n")
			if text = visible.Text(text); !ended {
				text += " (no newline at the end)"
			}
			mark := map[linediff.Kind]byte{linediff.Added: '+', linediff.Removed: '-'}[l.Kind]
			if mark == 0 {
				mark = ' '
			}
			lines = append(lines, diffLine{mark, text})
		}
	}
	return lines
}

// unified returns a diff in unified format.
func unified(d *v1.DiffItem) string {
	var b strings.Builder
	from := "/dev/null"
	if d.OldText != nil {
		from = oneLine(d.Path)
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, oneLine(d.Path))
	for _, l := range diffLines(d) {
		if l.mark == '@' {
			b.WriteString("@@\n")
			continue
		}
		b.WriteByte(l.mark)
		b.WriteString(l.text + "\n")
	}
	return b.String()
}
