package terminal

import "strings"

const (
	minWidth = 20
	// tabWidth replaces a tab, because with the terminal's tab stops the width of a row
	// would be unknown.
	tabWidth = "    "
)

// A screen is what run, attach and chat show in a terminal: finished rows, and the live region
// below them, with running calls and the open question. Two surfaces show it: a
// [*scrollback] below the shell's prompt, and a [*page] in a separate window.
type screen struct {
	flow

	rows   []string // finished
	region []string // live
}

// newScreen returns a screen. Each finished row is passed to row, which adds it to the rows.
func newScreen(st style, width func() int, row func(string)) screen {
	return screen{flow: flow{st: st, width: width, emit: row}}
}

func (s *screen) print(rows ...string) {
	s.end()
	for _, row := range rows {
		s.emit(strings.ReplaceAll(row, "\t", tabWidth))
	}
}

func (s *screen) live(rows []string) { s.region = rows }
