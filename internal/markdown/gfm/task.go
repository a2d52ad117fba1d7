package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// taskParser finds the checkbox at the beginning of a list item.
type taskParser struct{}

// Trigger implements [parser.InlineParser].
func (taskParser) Trigger() []byte { return []byte{'['} }

// Parse implements [parser.InlineParser].
func (taskParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	const spaces, marks = " \t\n\f\r", "xX"
	line, _ := block.PeekLine()
	if len(line) < len("[ ]") || line[2] != ']' || bytes.IndexByte([]byte(spaces+marks), line[1]) < 0 {
		return nil
	}
	rest := bytes.TrimLeft(line[len("[ ]"):], spaces)
	block.Advance(len(line) - len(rest))
	return extast.NewTaskCheckBox(bytes.IndexByte([]byte(marks), line[1]) >= 0)
}
