package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A style colours text, or leaves it as it is where colours are not wanted.
// It uses the sixteen colours of the terminal's own theme, which are readable
// on its background whatever that is.
type style struct {
	colour bool
	live   bool // rows are drawn again as keys come in
}

var (
	sgrBold   = ansi.NewStyle().Bold()
	sgrDim    = ansi.NewStyle().Faint()
	sgrAdd    = ansi.NewStyle().ForegroundColor(ansi.Green)
	sgrRemove = ansi.NewStyle().ForegroundColor(ansi.Red)
	sgrWarn   = ansi.NewStyle().ForegroundColor(ansi.Yellow)
	sgrAccent = ansi.NewStyle().ForegroundColor(ansi.Cyan)
	sgrFail   = ansi.NewStyle().ForegroundColor(ansi.Red).Bold()
)

func (s style) apply(sgr ansi.Style, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return sgr.Styled(text)
}

func (s style) bold(text string) string   { return s.apply(sgrBold, text) }
func (s style) dim(text string) string    { return s.apply(sgrDim, text) }
func (s style) green(text string) string  { return s.apply(sgrAdd, text) }
func (s style) red(text string) string    { return s.apply(sgrRemove, text) }
func (s style) yellow(text string) string { return s.apply(sgrWarn, text) }
func (s style) accent(text string) string { return s.apply(sgrAccent, text) }
func (s style) fail(text string) string   { return s.apply(sgrFail, text) }

// splitLines splits text into its lines; a newline at the end opens no line.
func splitLines(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// indent puts a margin before each row.
func indent(margin string, rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = strings.TrimRight(margin+row, " ")
	}
	return out
}
