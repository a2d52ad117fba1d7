package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inlines appends the children of a node to a line.
func (r *renderer) inlines(to *line, parent ast.Node, as style) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.inline(to, n, as)
	}
}

func (r *renderer) inline(to *line, n ast.Node, as style) {
	switch n := n.(type) {
	case *ast.Text:
		to.add(r.plain(n), as)
		if n.SoftLineBreak() || n.HardLineBreak() {
			to.add("\n", as)
		}
	case *ast.String:
		to.add(string(n.Value), as)
	case *ast.CodeSpan:
		r.codeSpan(to, n, as)
	case *ast.Emphasis:
		if n.Level == 1 {
			as |= italic
		} else {
			as |= bold
		}
		r.inlines(to, n, as)
	case *extast.Strikethrough:
		r.inlines(to, n, as|struck)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			to.add("☑ ", as)
		} else {
			to.add("☐ ", as)
		}
	case *ast.Link:
		r.link(to, n, string(n.Destination), as)
	case *ast.Image:
		to.add("[image] ", as|faint)
		r.link(to, n, string(n.Destination), as)
	case *ast.AutoLink:
		to.add(string(n.Label(r.source)), as|link)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			to.add(string(segment.Value(r.source)), as)
		}
	default:
		r.inlines(to, n, as)
	}
}

func (r *renderer) plain(n *ast.Text) string {
	value := n.Segment.Value(r.source)
	if n.IsRaw() {
		return string(value)
	}
	return string(util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(value))))
}

// codeSpan shows code unchanged. Without colours it keeps the backquotes. In a cell, a
// pipe in the code is escaped, because it would otherwise end the cell.
func (r *renderer) codeSpan(to *line, n *ast.CodeSpan, as style) {
	quote := "`"
	if r.Colour {
		quote = ""
	}
	to.add(quote, as)
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if text, ok := child.(*ast.Text); ok {
			value := bytes.ReplaceAll(text.Segment.Value(r.source), []byte("\n"), []byte(" "))
			if r.inCell {
				value = bytes.ReplaceAll(value, []byte(`\|`), []byte("|"))
			}
			to.add(string(value), as|code)
		}
	}
	to.add(quote, as)
}

// link shows the target of a link, unless its text does, because nobody follows a link
// they can't see.
func (r *renderer) link(to *line, n ast.Node, target string, as style) {
	var label line
	r.inlines(&label, n, as|link)
	text := label.text.String()
	to.text.WriteString(text)
	to.styles = append(to.styles, label.styles...)
	switch {
	case text == "":
		to.add(target, as|link)
	case target != "" && target != text:
		to.add(" ("+target+")", as|faint)
	}
}
