package terminal

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/linediff"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// maxDiff is the largest total size of the two sides that are compared line by line, in
// bytes. A larger diff is shown as one text removed and one added, which is always
// correct and takes no time.
const maxDiff = 2 << 20

// diffRows renders a diff with three lines of context. Control characters are escaped.
func diffRows(st style, d *v1.DiffItem) []string {
	var before string
	what := "new file"
	if d.OldText != nil {
		before, what = *d.OldText, ""
	}
	hunks, added, removed := compare(before, d.NewText)
	head := st.bold(visible.Text(d.Path)) + " " + st.green(fmt.Sprintf("+%d", added)) + " " + st.red(fmt.Sprintf("-%d", removed))
	if what != "" {
		head += " " + st.dim(what)
	}
	rows := []string{head}
	numbers := numbersOf(d, hunks)
	code := newCode(st, d)
	for i, h := range hunks {
		if i > 0 {
			rows = append(rows, st.dim("⋯"))
		}
		for _, l := range h {
			rows = append(rows, numbers.of(st, l)+code.row(l))
		}
	}
	if len(hunks) == 0 {
		rows = append(rows, st.dim("no change"))
	}
	return rows
}

func compare(before, after string) (hunks []linediff.Hunk, added, removed int) {
	if len(before)+len(after) > maxDiff {
		hunks = linediff.Replace(before, after)
	} else {
		hunks = linediff.Compare(before, after)
	}
	for _, h := range hunks {
		for _, l := range h {
			switch l.Kind {
			case linediff.Added:
				added++
			case linediff.Removed:
				removed++
			}
		}
	}
	return hunks, added, removed
}
