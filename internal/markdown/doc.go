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
//   - No text is lost. What is not shown is the language of a code block, the titles of
//     links, and definitions of links.
//   - The source has no control sequences: callers remove them. The only ones in rows
//     are styles, and only if colours are wanted.
package markdown

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns a parser with what GitHub adds. The extensions' parsers are named
// one by one, for the extensions themselves want a renderer of HTML.
var shared = sync.OnceValue(newParser)

func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		)...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		)...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

func parse(source []byte) ast.Node { return shared().Parse(text.NewReader(source)) }
