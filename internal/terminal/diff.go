package terminal

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxDiff is how large the sides of a diff may be together to be compared line
// by line. Larger ones are shown as they are, the old one removed and the new
// one added: that is always true, and takes no time.
const maxDiff = 2 << 20

// diffRows shows a diff with three lines of context, controls revealed.
func diffRows(st style, d *v1.DiffItem) []string {
	var before string
	what := "new file"
	if d.OldText != nil {
		before, what = *d.OldText, ""
	}
	hunks, added, removed := compare(before, d.NewText)
	head := st.bold(reveal(d.Path)) + " " + st.green(fmt.Sprintf("+%d", added)) + " " + st.red(fmt.Sprintf("-%d", removed))
	if what != "" {
		head += " " + st.dim(what)
	}
	rows := []string{head}
	for i, h := range hunks {
		if i > 0 {
			rows = append(rows, st.dim("⋯"))
		}
		for _, l := range h.Lines {
			rows = append(rows, diffRow(st, l))
		}
	}
	if len(hunks) == 0 {
		rows = append(rows, st.dim("no change"))
	}
	return rows
}

func diffRow(st style, l udiff.Line) string {
	text, ended := strings.CutSuffix(l.Content, "\n")
	text = reveal(text)
	if !ended {
		text += st.dim(" (no newline at the end)")
	}
	switch l.Kind {
	case udiff.Delete:
		return st.red("- " + text)
	case udiff.Insert:
		return st.green("+ " + text)
	}
	return "  " + text
}

func compare(before, after string) (hunks []*udiff.Hunk, added, removed int) {
	if before == after {
		return nil, 0, 0
	}
	var edits []udiff.Edit
	if len(before)+len(after) > maxDiff {
		edits = []udiff.Edit{{Start: 0, End: len(before), New: after}}
	} else {
		edits = udiff.Lines(before, after)
	}
	unified, err := udiff.ToUnifiedDiff("", "", before, edits, udiff.DefaultContextLines)
	if err != nil {
		// Edits that do not fit the text they were made from cannot come
		// about; a whole replacement is true all the same.
		unified, _ = udiff.ToUnifiedDiff("", "", before, []udiff.Edit{{Start: 0, End: len(before), New: after}}, 0)
	}
	for _, h := range unified.Hunks {
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				added++
			case udiff.Delete:
				removed++
			}
		}
	}
	return unified.Hunks, added, removed
}
