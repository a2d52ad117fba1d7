package gfm

import (
	"bytes"

	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// maxIndent is the largest indent of a line that isn't code.
const maxIndent = 3

// alignments returns the alignment of each column if line is the delimiter row of a
// table, or else nil.
func alignments(line []byte) []extast.Alignment {
	if indent, _ := util.IndentWidth(line, 0); indent > maxIndent {
		return nil
	}
	// The last line of a text may be the beginning of a longer delimiter row.
	if len(bytes.Trim(line, "-")) == 0 {
		return nil
	}
	columns := bytes.Split(line, []byte{'|'})
	if len(trim(columns[0])) == 0 {
		columns = columns[1:]
	}
	if n := len(columns); n > 0 && len(trim(columns[n-1])) == 0 {
		columns = columns[:n-1]
	}
	all := make([]extast.Alignment, 0, len(columns))
	for _, column := range columns {
		alignment, ok := alignmentOf(trim(column))
		if !ok {
			return nil
		}
		all = append(all, alignment)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// trim removes white space as defined by Markdown.
func trim(column []byte) []byte { return bytes.Trim(column, " \t\r\n") }

func alignmentOf(column []byte) (a extast.Alignment, ok bool) {
	dashes, left := bytes.CutPrefix(column, []byte{':'})
	dashes, right := bytes.CutSuffix(dashes, []byte{':'})
	if len(dashes) == 0 || len(bytes.Trim(dashes, "-")) > 0 {
		return 0, false
	}
	switch {
	case left && right:
		return extast.AlignCenter, true
	case left:
		return extast.AlignLeft, true
	case right:
		return extast.AlignRight, true
	}
	return extast.AlignNone, true
}
