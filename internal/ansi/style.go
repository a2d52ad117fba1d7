// Package ansi has the control sequences that Turnwire writes to terminals, and
// no others: styles of text, and what it takes to draw a few rows again.
//
// Contract:
//
//   - Colours are of the sixteen of the terminal's own theme, which are readable
//     on its background whatever that is.
//   - Nothing here asks whether a terminal is there, or whether colours are
//     wanted: that is for the caller to know.
//   - Importing the package costs a start no time.
package ansi

// A Style is a look of text: the parameters of the sequence that chooses it.
type Style string

// The styles in use.
const (
	Bold    Style = "1"
	Faint   Style = "2"
	Red     Style = "31"
	Green   Style = "32"
	Yellow  Style = "33"
	Cyan    Style = "36"
	BoldRed Style = "31;1"
)

// Apply puts text into the style and ends it behind. A style that text has in
// it already ends this one too: terminals cannot go back to the one before.
func (s Style) Apply(text string) string {
	if text == "" {
		return ""
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}
