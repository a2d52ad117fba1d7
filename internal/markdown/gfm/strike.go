package gfm

import (
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// strikeParser finds runs of one or two tildes. goldmark pairs them.
type strikeParser struct{}

// Trigger implements [parser.InlineParser].
func (strikeParser) Trigger() []byte { return []byte{'~'} }

// Parse implements [parser.InlineParser].
func (strikeParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	run := parser.ScanDelimiter(line, before, 1, tildes{})
	if run == nil || run.OriginalLength > 2 || before == '~' {
		return nil
	}
	run.Segment = segment.WithStop(segment.Start + run.OriginalLength)
	block.Advance(run.OriginalLength)
	pc.PushDelimiter(run)
	return run
}

// tildes implements [parser.DelimiterProcessor].
type tildes struct{}

func (tildes) IsDelimiter(c byte) bool { return c == '~' }

func (tildes) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (tildes) OnMatch(int) ast.Node { return extast.NewStrikethrough() }
