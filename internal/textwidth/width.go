// Package textwidth measures text in the cells of a terminal, and fits it into
// them.
//
// Contract:
//
//   - What a user sees as one character is measured as one, and never cut in
//     two.
//   - A control sequence takes no cell, and neither does a control: a tab's width
//     depends on where it stands, so callers replace it first.
//   - Characters that some terminals draw in one cell and some in two take one,
//     unless RUNEWIDTH_EASTASIAN says otherwise, as it does to other programs.
package textwidth

import (
	"os"
	"strconv"

	"github.com/clipperhouse/displaywidth"
)

// options are found when text is measured, for few starts come to that.
func options() displaywidth.Options {
	o := displaywidth.Options{ControlSequences: true}
	if wide := os.Getenv("RUNEWIDTH_EASTASIAN"); wide != "" {
		o.EastAsianWidth, _ = strconv.ParseBool(wide)
	}
	return o
}

// Width is how many cells text takes in one row.
func Width(text string) int { return options().String(text) }

// Truncate cuts text that takes more than limit cells, and puts tail where it
// was cut. Control sequences behind the cut stay: one of them may end a style.
func Truncate(text string, limit int, tail string) string {
	return options().TruncateString(text, limit, tail)
}
