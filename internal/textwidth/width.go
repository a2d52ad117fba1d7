// Package textwidth measures text in terminal cells, and truncates and wraps it.
//
// Contract:
//
//   - A user-perceived character is measured as a unit and never split.
//   - Control sequences and control characters take no cells. The width of a tab
//     depends on its position, so callers must replace tabs first.
//   - A character that some terminals draw in one cell and some in two counts as
//     one, unless RUNEWIDTH_EASTASIAN is true, as in other programs.
package textwidth

import (
	"os"
	"strconv"

	"github.com/clipperhouse/displaywidth"
)

// options returns the settings for measuring. They are not computed at startup, because
// most runs of the program never measure text.
func options() displaywidth.Options {
	o := displaywidth.Options{ControlSequences: true}
	if wide := os.Getenv("RUNEWIDTH_EASTASIAN"); wide != "" {
		o.EastAsianWidth, _ = strconv.ParseBool(wide)
	}
	return o
}

// Width returns the width of text in cells, on one row.
func Width(text string) int { return options().String(text) }

// Truncate cuts text that is wider than limit cells, and replaces the removed part with
// tail. Control sequences after the cut are kept, because one of them may end a style.
func Truncate(text string, limit int, tail string) string {
	return options().TruncateString(text, limit, tail)
}
