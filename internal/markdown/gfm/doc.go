// Package gfm adds GitHub's syntax to goldmark's Markdown parser: tables, task lists,
// strikethrough, and links without brackets.
//
// It creates the nodes of goldmark/extension/ast, for the same syntax as
// goldmark/extension. That package isn't used, because at startup it compiles its regular
// expressions and builds the tables of its HTML renderer, which an editor would wait for.
package gfm

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Inlines returns the parsers for strikethrough, task items and links.
func Inlines() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(taskParser{}, 0), // before links in brackets
		util.Prioritized(strikeParser{}, 500),
		util.Prioritized(linkParser{}, 999),
	}
}

// Tables returns an option that makes a parser recognise tables. An escaped pipe in a
// cell's code keeps its backslash.
func Tables() parser.Option {
	return parser.WithParagraphTransformers(util.Prioritized(tableTransformer{}, 200))
}
