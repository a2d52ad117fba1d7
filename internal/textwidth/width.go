// Package textwidth measures text in terminal cells, and fits it into them.
//
// Contract:
//
//   - A character that the user perceives as one is measured as one, and never
//     cut in two.
//   - A control sequence takes no cell, and neither does a control character.
//     The width of a tab depends on its position, so callers replace tabs
//     first.
//   - A character that some terminals draw in one cell and some in two takes
//     one, unless RUNEWIDTH_EASTASIAN says otherwise, as in other programs.
package textwidth

import (
	"os"
	"strconv"

	"github.com/clipperhouse/displaywidth"
)

// options returns the settings for measuring. It is called when text is
// measured, because most runs of the program never do that.
func options() displaywidth.Options {
	o := displaywidth.Options{ControlSequences: true}
	if wide := os.Getenv("RUNEWIDTH_EASTASIAN"); wide != "" {
		o.EastAsianWidth, _ = strconv.ParseBool(wide)
	}
	return o
}

// Width returns how many cells text takes in one row.
func Width(text string) int { return options().String(text) }

// Truncate cuts text that takes more than limit cells, and puts tail in place
// of the cut part. Control sequences after the cut stay: one of them may end a
// style.
func Truncate(text string, limit int, tail string) string {
	return options().TruncateString(text, limit, tail)
}
