package markdown

import (
	"strings"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A style is a set of text styles.
type style uint8

const (
	bold style = 1 << iota
	italic
	struck
	code
	link
	faint
	accent
)

var styles = []struct {
	flag style
	sgr  ansi.Style
}{
	{bold, ansi.Bold}, {italic, ansi.Italic}, {struck, ansi.Struck}, {code, ansi.Cyan},
	{link, ansi.Underline}, {faint, ansi.Faint}, {accent, ansi.Cyan},
}

func (l style) apply(text string) string {
	var all []string
	for _, s := range styles {
		if l&s.flag != 0 {
			all = append(all, string(s.sgr))
		}
	}
	if all == nil {
		return text
	}
	return ansi.Style(strings.Join(all, ";")).Apply(text)
}

// A line is text with the style of each byte.
type line struct {
	text   strings.Builder
	styles []style
}

func (l *line) add(text string, as style) {
	l.text.WriteString(text)
	for range len(text) {
		l.styles = append(l.styles, as)
	}
}

// rows splits a line at its newlines, and wraps long parts at words.
func (l *line) rows(width int, colour bool) []string {
	var rows []string
	text, at := l.text.String(), 0
	for piece := range strings.SplitSeq(text, "\n") {
		for _, row := range textwidth.Fold(piece, width) {
			// Rows are parts of the text; only spaces between them are dropped.
			at += strings.Index(text[at:], row)
			rows = append(rows, l.paint(row, at, colour))
			at += len(row)
		}
	}
	return rows
}

// paint colours a row that begins at an offset of the line.
func (l *line) paint(row string, at int, colour bool) string {
	if !colour {
		return row
	}
	var out strings.Builder
	for begin := 0; begin < len(row); {
		end := begin + 1
		for end < len(row) && l.styles[at+end] == l.styles[at+begin] {
			end++
		}
		out.WriteString(l.styles[at+begin].apply(row[begin:end]))
		begin = end
	}
	return out.String()
}
