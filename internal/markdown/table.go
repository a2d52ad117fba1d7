package markdown

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/textwidth"
)

const (
	separator = " │ "
	// minColumn is the minimum width of a column in a table that is too wide.
	minColumn = 6
)

// A cell is a table cell before its column has a width.
type cell struct {
	line  line
	align extast.Alignment
}

// table aligns columns, and wraps cells if the table is too wide.
func (r *renderer) table(n *extast.Table, width int) (rows []string) {
	r.inCell = true
	defer func() { r.inCell = false }()
	var all [][]*cell
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		as := style(0)
		if len(all) == 0 {
			as = bold
		}
		var cells []*cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			made := &cell{}
			if c, ok := c.(*extast.TableCell); ok {
				made.align = c.Alignment
			}
			r.inlines(&made.line, c, as)
			cells = append(cells, made)
		}
		all = append(all, cells)
	}
	widths := columns(all, width)
	for i, cells := range all {
		rows = append(rows, r.tableRow(cells, widths)...)
		if i == 0 {
			lines := make([]string, len(widths))
			for j, w := range widths {
				lines[j] = strings.Repeat("─", w)
			}
			rows = append(rows, r.style(ansi.Faint, strings.Join(lines, "─┼─")))
		}
	}
	return rows
}

// columns returns the column widths. If the table is too wide, the widest columns shrink.
func columns(all [][]*cell, width int) (widths []int) {
	total := 0
	for _, cells := range all {
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
				total += textwidth.Width(separator)
			}
			if w := textwidth.Width(c.line.text.String()); w > widths[i] {
				total += w - widths[i]
				widths[i] = w
			}
		}
	}
	total -= textwidth.Width(separator)
	for total > width {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= minColumn {
			break
		}
		widths[widest]--
		total--
	}
	return widths
}

func (r *renderer) tableRow(cells []*cell, widths []int) (rows []string) {
	columns := make([][]string, len(cells))
	height := 0
	for i, c := range cells {
		columns[i] = c.line.rows(max(widths[i], 1), r.Colour)
		height = max(height, len(columns[i]))
	}
	for y := range height {
		var row strings.Builder
		for i, c := range cells {
			if i > 0 {
				row.WriteString(r.style(ansi.Faint, separator))
			}
			text := ""
			if y < len(columns[i]) {
				text = columns[i][y]
			}
			row.WriteString(aligned(text, widths[i], c.align))
		}
		rows = append(rows, strings.TrimRight(row.String(), " "))
	}
	return rows
}

func aligned(text string, width int, align extast.Alignment) string {
	space := max(0, width-textwidth.Width(text))
	left := 0
	switch align {
	case extast.AlignRight:
		left = space
	case extast.AlignCenter:
		left = space / 2
	case extast.AlignLeft, extast.AlignNone:
	}
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", space-left)
}
