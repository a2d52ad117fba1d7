// Package markdown renders Markdown in rows for a terminal, also while it arrives.
//
// The syntax is CommonMark with the tables, task lists, strikethrough and links of
// GitHub. A newline in a paragraph stays one: agents mean it. HTML is shown as it is,
// and so is the target of a link beside its text.
//
// Contract:
//
//   - A row takes at most the width that was asked for, except in code blocks and for
//     words that are longer: what is copied from a terminal has no breaks of ours.
//   - What would nest deeper than anybody reads, and a table with more cells, are shown
//     as they were written.
//   - No text is lost. What is not shown is the language of a code block, the titles of
//     links, and definitions of links.
//   - The source has no control sequences: callers remove them. The only ones in rows
//     are styles, and only if colours are wanted.
package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/turnwire/turnwire/internal/markdown/gfm"
)

// The parsers of texts: of most, of those whose tables would be too wide, and of
// those that would nest too deeply, which are shown as they are.
var (
	shared    = sync.OnceValue(func() parser.Parser { return newParser(gfm.Tables()) })
	tableless = sync.OnceValue(func() parser.Parser { return newParser() })
	plain     = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)))
	})
)

// newParser returns a parser of CommonMark with GitHub's syntax, except tables.
func newParser(more ...parser.Option) parser.Parser {
	return parser.NewParser(append([]parser.Option{
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), gfm.Inlines()...)...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	}, more...)...)
}

func parse(source []byte) ast.Node {
	p := shared
	switch {
	case tooDeep(source):
		p = plain
	case tooWide(source):
		p = tableless
	}
	return p().Parse(text.NewReader(source))
}
