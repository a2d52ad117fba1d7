package terminal

import (
	"strings"

	"github.com/turnwire/turnwire/internal/linediff"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/syntax"
	"github.com/turnwire/turnwire/internal/visible"
)

// code colours the lines of a diff.
type code struct {
	st       style
	language *syntax.Language // nil if unknown
	text     []string         // the new text's lines
	at       int              // how many of them were read
	state    syntax.State     // after those
}

func newCode(st style, d *v1.DiffItem) *code {
	c := &code{st: st}
	if st.colour && len(d.NewText) <= maxDiff {
		c.language = syntax.Of(d.Path)
		c.text = strings.Split(d.NewText, "\n")
	}
	return c
}

// row renders a line. Lines must come in order. What was removed is red as a whole.
func (c *code) row(l linediff.Line) string {
	text, ended := strings.CutSuffix(l.Text, "\n")
	text = visible.Text(text)
	note := ""
	if !ended {
		note = c.st.dim(" (no newline at the end)")
	}
	switch l.Kind {
	case linediff.Removed:
		return c.st.red("- "+text) + note
	case linediff.Added:
		return c.st.green("+ ") + c.paint(l.Number, text, c.st.green) + note
	}
	return "  " + c.paint(l.Number, text, nil) + note
}

// paint colours a line of the new text. plain is the style of the rest; nil means none.
func (c *code) paint(number int, text string, plain func(string) string) string {
	if plain == nil {
		plain = func(text string) string { return text }
	}
	if c.language == nil {
		return plain(text)
	}
	for c.at < number-1 && c.at < len(c.text) { // the lines between two hunks
		_, c.state = c.language.Line(c.text[c.at], c.state)
		c.at++
	}
	var spans []syntax.Span
	spans, c.state = c.language.Line(text, c.state)
	c.at = number
	var row strings.Builder
	for _, s := range spans {
		if look, ok := s.Kind.Style(); ok {
			row.WriteString(c.st.apply(look, s.Text))
		} else {
			row.WriteString(plain(s.Text))
		}
	}
	return row.String()
}
