package terminal

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/linediff"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// lineNumbers says how to number the lines of a diff.
type lineNumbers struct {
	width int // of a number; 0 if the numbers are unknown
	skip  int // lines of the file before the texts
	part  bool
}

// numbersOf returns the numbers of a diff's lines. Agents send a whole file or the part
// that they replace. Turnwire's own agents say which; of the others, a part usually has no
// final newline, and its place is unknown.
func numbersOf(d *v1.DiffItem, hunks []linediff.Hunk) (n lineNumbers) {
	switch line, ok := d.Meta[v1.LineMeta].(float64); {
	case ok && line >= 1 && line < 1e9:
		n.skip, n.part = int(line)-1, true
	case d.OldText != nil && *d.OldText != "" && !strings.HasSuffix(*d.OldText, "\n") && !strings.HasSuffix(d.NewText, "\n"):
		return n
	}
	for _, h := range hunks {
		for _, l := range h {
			n.width = max(n.width, len(strconv.Itoa(n.skip+l.Number)))
		}
	}
	return n
}

// of returns a line's number. Where a part of the old file began is unknown.
func (n lineNumbers) of(st style, l linediff.Line) string {
	switch {
	case n.width == 0:
		return ""
	case n.part && l.Kind == linediff.Removed:
		return strings.Repeat(" ", n.width+1)
	}
	return st.dim(fmt.Sprintf("%*d ", n.width, n.skip+l.Number))
}
