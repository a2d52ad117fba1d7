package terminal

import (
	"strings"

	"github.com/turnwire/turnwire/internal/ansi"
)

// A style colours text, if colours are enabled.
type style struct {
	colour bool
	live   bool // rows are redrawn after each key
}

func (s style) apply(look ansi.Style, text string) string {
	if !s.colour {
		return text
	}
	return look.Apply(text)
}

func (s style) bold(text string) string   { return s.apply(ansi.Bold, text) }
func (s style) dim(text string) string    { return s.apply(ansi.Faint, text) }
func (s style) green(text string) string  { return s.apply(ansi.Green, text) }
func (s style) red(text string) string    { return s.apply(ansi.Red, text) }
func (s style) yellow(text string) string { return s.apply(ansi.Yellow, text) }
func (s style) accent(text string) string { return s.apply(ansi.Cyan, text) }
func (s style) fail(text string) string   { return s.apply(ansi.BoldRed, text) }

// splitLines splits text into lines. A trailing newline doesn't start another line.
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
