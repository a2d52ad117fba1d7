package markdown

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// RowsBy renders a text with another parser.
func RowsBy(p parser.Parser, source string, o Options) []string {
	s := withoutTabs(source)
	return rows(p.Parse(text.NewReader(s)), s, o)
}

// Bounded reports whether a text is too large to be parsed as a whole.
func Bounded(source string) bool {
	s := withoutTabs(source)
	return tooDeep(s) || tooWide(s)
}
