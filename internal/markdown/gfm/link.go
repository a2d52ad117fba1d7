package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// linkParser finds URLs and email addresses at the beginning of words.
type linkParser struct{}

// Trigger implements [parser.InlineParser]. A space also stands for the beginning of a
// line.
func (linkParser) Trigger() []byte { return []byte(" *_~(") }

// Parse implements [parser.InlineParser].
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if pc.IsInLinkLabel() {
		return nil
	}
	line, segment := block.PeekLine()
	before := 0
	if bytes.IndexByte(p.Trigger(), line[0]) >= 0 {
		before = 1
	}
	word := line[before:]
	kind, length := ast.AutoLinkURL, urlLength(word)
	if length == 0 {
		kind, length = ast.AutoLinkEmail, emailLength(word)
	}
	if length == 0 {
		return nil
	}
	start := segment.Start + before
	if before > 0 {
		ast.MergeOrAppendTextSegment(parent, segment.WithStop(start))
	}
	block.Advance(before + length)
	return ast.NewAutoLink(kind, ast.NewTextSegment(text.NewSegment(start, start+length)))
}

// emailLength returns the length of the email address that word begins with, or 0.
func emailLength(word []byte) int {
	if len(word) == 0 || util.IsPunct(word[0]) {
		return 0
	}
	length := util.FindEmailIndex(word)
	if length < 0 {
		return 0
	}
	_, domain, _ := bytes.Cut(word[:length], []byte{'@'})
	if bytes.IndexByte(domain, '.') < 0 {
		return 0
	}
	if length < len(word) && (word[length] == '-' || word[length] == '_') {
		return 0
	}
	return length
}
