package cli

import "github.com/charmbracelet/x/ansi"

// paint colours words, where colours are wanted, with those of the terminal's
// own theme.
type paint bool

func (p paint) with(style ansi.Style, text string) string {
	if !p || text == "" {
		return text
	}
	return style.Styled(text)
}

func (p paint) bold(text string) string { return p.with(ansi.NewStyle().Bold(), text) }
func (p paint) dim(text string) string  { return p.with(ansi.NewStyle().Faint(), text) }
func (p paint) good(text string) string {
	return p.with(ansi.NewStyle().ForegroundColor(ansi.Green), text)
}

func (p paint) warn(text string) string {
	return p.with(ansi.NewStyle().ForegroundColor(ansi.Yellow), text)
}

func (p paint) bad(text string) string {
	return p.with(ansi.NewStyle().ForegroundColor(ansi.Red), text)
}
