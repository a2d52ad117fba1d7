package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/syntax"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// minWidth is the minimum width for deeply nested text.
const minWidth = 16

// Options say how to render rows.
type Options struct {
	// Width is the maximum width of a row, in cells.
	Width int
	// Colour enables styles. Without it, marks replace the styles.
	Colour bool
}

// Rows renders a text. An empty row separates blocks. The result neither begins nor ends
// with an empty row.
func Rows(source string, o Options) []string {
	text := withoutTabs(source)
	return rows(parse(text), text, o)
}

func withoutTabs(source string) []byte { return []byte(strings.ReplaceAll(source, "\t", "    ")) }

func rows(document ast.Node, source []byte, o Options) []string {
	r := &renderer{Options: o, source: source}
	return r.blocks(document, o.Width, true)
}

type renderer struct {
	Options

	source []byte
	inCell bool // rendering a table cell
}

// blocks renders the children of a node. If apart is set, it separates them with an empty
// row.
func (r *renderer) blocks(parent ast.Node, width int, apart bool) (rows []string) {
	width = max(width, minWidth)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		block := r.block(n, width)
		if len(block) == 0 {
			continue
		}
		if len(rows) > 0 && apart {
			rows = append(rows, "")
		}
		rows = append(rows, block...)
	}
	return rows
}

func (r *renderer) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return r.heading(n, width)
	case *ast.Paragraph, *ast.TextBlock:
		return r.text(n, width, 0)
	case *ast.List:
		return r.list(n, width)
	case *ast.Blockquote:
		return prefixed(r.style(ansi.Faint, "│ "), r.style(ansi.Faint, "│ "), r.blocks(n, width-2, true))
	case *ast.FencedCodeBlock:
		return r.code(n, string(n.Language(r.source)))
	case *ast.CodeBlock:
		return r.code(n, "")
	case *ast.ThematicBreak:
		return []string{r.style(ansi.Faint, strings.Repeat("─", min(width, 40)))}
	case *ast.HTMLBlock:
		rows := r.lines(n)
		if n.HasClosure() {
			rows = append(rows, strings.TrimRight(string(n.ClosureLine.Value(r.source)), "\n"))
		}
		return rows
	case *extast.Table:
		return r.table(n, width)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	return r.blocks(n, width, true)
}

func (r *renderer) style(s ansi.Style, text string) string {
	if !r.Colour {
		return text
	}
	return s.Apply(text)
}

func (r *renderer) text(n ast.Node, width int, as style) []string {
	var l line
	r.inlines(&l, n, as)
	return l.rows(width, r.Colour)
}

func (r *renderer) heading(n *ast.Heading, width int) []string {
	as := bold
	if n.Level <= 2 {
		as |= accent
	}
	var l line
	if !r.Colour {
		l.add(strings.Repeat("#", n.Level)+" ", as)
	}
	r.inlines(&l, n, as)
	return l.rows(width, r.Colour)
}

func (r *renderer) list(n *ast.List, width int) (rows []string) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if len(rows) > 0 && !n.IsTight {
			rows = append(rows, "")
		}
		indent := strings.Repeat(" ", textwidth.Width(mark))
		block := r.blocks(item, width-len(indent), !n.IsTight)
		if len(block) == 0 {
			block = []string{""}
		}
		rows = append(rows, prefixed(r.style(ansi.Faint, mark), indent, block)...)
	}
	return rows
}

// code shows code unchanged, with each line in its own row.
func (r *renderer) code(n ast.Node, language string) []string {
	rows := r.lines(n)
	known := syntax.Named(language)
	var state syntax.State
	for i, row := range rows {
		switch {
		case language == "diff" || language == "patch":
			rows[i] = r.changed(row)
		case known != nil && r.Colour:
			var spans []syntax.Span
			spans, state = known.Line(row, state)
			rows[i] = painted(spans)
		default:
			rows[i] = r.style(ansi.Cyan, row)
		}
	}
	return prefixed("  ", "  ", rows)
}

// changed colours a line of a diff.
func (r *renderer) changed(row string) string {
	switch {
	case strings.HasPrefix(row, "+"):
		return r.style(ansi.Green, row)
	case strings.HasPrefix(row, "-"):
		return r.style(ansi.Red, row)
	}
	return row
}

func painted(spans []syntax.Span) string {
	var row strings.Builder
	for _, s := range spans {
		text := s.Text
		if look, ok := s.Kind.Style(); ok {
			text = look.Apply(text)
		}
		row.WriteString(text)
	}
	return row.String()
}

// lines returns the lines of a block without inline content.
func (r *renderer) lines(n ast.Node) (rows []string) {
	for i := range n.Lines().Len() {
		segment := n.Lines().At(i)
		rows = append(rows, strings.TrimRight(string(segment.Value(r.source)), "\r\n"))
	}
	return rows
}

// prefixed adds a prefix to the first row, and another to the other rows.
func prefixed(first, others string, rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		prefix := others
		if i == 0 {
			prefix = first
		}
		out[i] = strings.TrimRight(prefix+row, " ")
	}
	return out
}
