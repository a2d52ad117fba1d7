// Package markdown renders Markdown as rows for a terminal, even while the text is
// arriving.
//
// The syntax is CommonMark with GitHub's tables, task lists, strikethrough and links. A
// newline in a paragraph is kept, because agents mean it. HTML is shown as source, and
// the target of a link is shown after its text.
//
// Contract:
//
//   - A row is not wider than the requested width, except in code blocks and for
//     words that are longer. Text copied from a terminal therefore contains no
//     extra line breaks.
//   - Text that nests deeper than anyone reads, and tables with too many cells,
//     are shown as source.
//   - No text is lost, except the languages of code blocks, the titles of links,
//     and link definitions.
//   - The source must not contain control sequences: callers remove them. The only
//     ones in rows are styles, and only if colours are enabled.
package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/turnwire/turnwire/internal/markdown/gfm"
)

// The parsers: for most texts, for texts whose tables would be too wide, and for texts
// that would nest too deeply, which are shown as source.
var (
	shared    = sync.OnceValue(func() parser.Parser { return newParser(gfm.Tables()) })
	tableless = sync.OnceValue(func() parser.Parser { return newParser() })
	plain     = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)))
	})
)

// newParser returns a CommonMark parser with GitHub's syntax, except tables.
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
