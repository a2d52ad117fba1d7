// Package ansi has the control sequences that Turnwire writes to terminals: text styles,
// and sequences for redrawing a few rows.
//
// Contract:
//
//   - Colours are the sixteen of the terminal's theme, which are readable on its
//     background.
//   - The caller must know whether the output is a terminal, and whether colours
//     are enabled.
//   - Importing the package costs no start-up time.
package ansi

// A Style is a text style: the parameters of the control sequence that selects it.
type Style string

// The text styles.
const (
	Bold      Style = "1"
	Faint     Style = "2"
	Italic    Style = "3"
	Underline Style = "4"
	Struck    Style = "9"
	Red       Style = "31"
	Green     Style = "32"
	Yellow    Style = "33"
	Magenta   Style = "35"
	Cyan      Style = "36"
	BoldRed   Style = "31;1"
)

// Apply returns text in the style. A style inside text also ends this one, because
// terminals can't return to the previous style.
func (s Style) Apply(text string) string {
	if text == "" {
		return ""
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[m"
}
