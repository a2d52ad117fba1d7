package gfm

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tableTransformer finds a table at the end of a paragraph.
type tableTransformer struct{}

// Transform implements [parser.ParagraphTransformer].
func (tableTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := p.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		delimiters := lines.At(i)
		columns := alignments(delimiters.Value(source))
		if columns == nil {
			continue
		}
		if head := lines.At(i - 1); len(cells(head, source)) <= len(columns) {
			table := newTable(lines.Sliced(i-1, lines.Len()), columns, source)
			table.SetPos(p.Pos())
			replaceLines(p, i-1, table)
		}
		return
	}
}

// replaceLines replaces the lines of p from index from with a node.
func replaceLines(p *ast.Paragraph, from int, node ast.Node) {
	parent, lines := p.Parent(), p.Lines()
	parent.InsertAfter(parent, p, node)
	if from == 0 {
		parent.RemoveChild(parent, p)
		return
	}
	lines.SetSliced(0, from)
	last := lines.At(from - 1)
	lines.Set(from-1, last.WithStop(last.Stop-1)) // without the newline
}

// newTable returns a table built from lines: a head, a delimiter row, and rows.
func newTable(lines []text.Segment, columns []extast.Alignment, source []byte) *extast.Table {
	table := extast.NewTable()
	table.Alignments = columns
	table.AppendChild(table, extast.NewTableHeader(newRow(lines[0], columns, source)))
	for _, line := range lines[2:] {
		table.AppendChild(table, newRow(line, columns, source))
	}
	return table
}

// newRow returns a row with a cell for each column.
func newRow(line text.Segment, columns []extast.Alignment, source []byte) *extast.TableRow {
	row := extast.NewTableRow(columns)
	texts := cells(line, source)
	for i, alignment := range columns {
		cell := extast.NewTableCell()
		cell.Alignment = alignment
		if i < len(texts) {
			cell.Lines().Append(texts[i])
		}
		row.AppendChild(row, cell)
	}
	return row
}

// cells splits a line at its pipes. The first and the last pipe are optional.
func cells(line text.Segment, source []byte) []text.Segment {
	line = line.TrimLeftSpace(source)
	line = line.TrimRightSpace(source)
	start, end := line.Start, line.Stop
	if start < end && source[start] == '|' {
		start++
	}
	if start < end && source[end-1] == '|' {
		end--
	}
	var all []text.Segment
	for start < end {
		pipe := start
		for pipe < end && (source[pipe] != '|' || pipe > line.Start && source[pipe-1] == '\\') {
			pipe++
		}
		cell := text.NewSegment(start, pipe)
		cell = cell.TrimLeftSpace(source)
		all = append(all, cell.TrimRightSpace(source))
		start = pipe + 1
	}
	return all
}
