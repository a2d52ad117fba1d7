package syntax

import "github.com/turnwire/turnwire/internal/ansi"

// Style returns the text style of a kind. It returns false for plain code.
func (k Kind) Style() (look ansi.Style, ok bool) {
	switch k {
	case Keyword:
		return ansi.Magenta, true
	case String:
		return ansi.Yellow, true
	case Number:
		return ansi.Cyan, true
	case Comment:
		return ansi.Faint, true
	}
	return "", false
}
