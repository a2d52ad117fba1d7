// Package gfm adds GitHub's syntax to the Markdown parser of goldmark: tables, task
// lists, strikethrough, and links without brackets.
//
// It makes the nodes of goldmark/extension/ast, and finds what goldmark/extension finds.
// That package isn't used because it compiles its regular expressions and builds the
// tables of its HTML renderer when the program starts, which an editor waits for.
package gfm

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Inlines returns the parsers of strikethrough, task items and links.
func Inlines() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(taskParser{}, 0), // before links in brackets
		util.Prioritized(strikeParser{}, 500),
		util.Prioritized(linkParser{}, 999),
	}
}

// Tables returns the option that makes a parser find tables. An escaped pipe in the
// code of a cell keeps its backslash.
func Tables() parser.Option {
	return parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200))
}
