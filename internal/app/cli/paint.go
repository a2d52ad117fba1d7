package cli

import "github.com/turnwire/turnwire/internal/ansi"

// paint colours text by meaning, if colours are enabled.
type paint bool

func (p paint) with(look ansi.Style, text string) string {
	if !p {
		return text
	}
	return look.Apply(text)
}

func (p paint) bold(text string) string { return p.with(ansi.Bold, text) }
func (p paint) dim(text string) string  { return p.with(ansi.Faint, text) }
func (p paint) good(text string) string { return p.with(ansi.Green, text) }
func (p paint) warn(text string) string { return p.with(ansi.Yellow, text) }
func (p paint) bad(text string) string  { return p.with(ansi.Red, text) }
