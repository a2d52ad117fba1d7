package terminal

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// maxTail limits how many rows of an unfinished block are shown. The live region must be
// smaller than any usual terminal.
const maxTail = 10

// A scrollback shows a screen on a terminal in raw mode, below what is there already. Finished
// rows scroll away for good. Only the live region is redrawn, and the last row of unfinished
// text.
type scrollback struct {
	screen

	out    io.Writer
	shown  []string // the live region on the terminal
	hidden bool
}

func newScrollback(out io.Writer, st style, width func() int) *scrollback {
	s := &scrollback{out: out}
	s.screen = newScreen(st, width, s.row)
	return s
}

// row adds a finished row of any length. The terminal wraps it, so that copied text has no
// line breaks.
func (s *scrollback) row(row string) { s.rows = append(s.rows, row) }

// flush draws the new rows and the live region, and writes everything at once. Terminals that
// support synchronized updates show it as one frame.
func (s *scrollback) flush() error {
	region := s.tail()
	region = region[max(0, len(region)-maxTail):]
	for _, row := range s.region {
		row = strings.ReplaceAll(row, "\t", tabWidth)
		region = append(region, textwidth.Truncate(row, s.columns()-1, "…"))
	}
	if len(s.rows) == 0 && slices.Equal(region, s.shown) {
		return nil
	}
	var frame bytes.Buffer
	frame.WriteString(ansi.BeginFrame)
	if !s.hidden {
		frame.WriteString(ansi.HideCursor)
		s.hidden = true
	}
	s.erase(&frame)
	for _, row := range s.rows {
		frame.WriteString(row + "\r\n")
	}
	frame.WriteString(strings.Join(region, "\r\n"))
	frame.WriteString(ansi.EndFrame)
	s.rows, s.shown = nil, region
	_, err := s.out.Write(frame.Bytes())
	return err
}

// erase removes the live region from the terminal.
func (s *scrollback) erase(frame *bytes.Buffer) {
	if len(s.shown) == 0 {
		return
	}
	height := 0
	for _, row := range s.shown {
		// A terminal that became narrower has wrapped the row.
		height += 1 + max(0, textwidth.Width(row)-1)/s.columns()
	}
	frame.WriteByte('\r')
	if height > 1 {
		frame.WriteString(ansi.CursorUp(height - 1))
	}
	frame.WriteString(ansi.EraseBelow)
}

// close leaves the cursor visible, at the start of an empty line.
func (s *scrollback) close() error {
	s.print()
	s.region = nil
	err := s.flush()
	if s.hidden {
		_, showErr := io.WriteString(s.out, ansi.ShowCursor)
		s.hidden = false
		if err == nil {
			err = showErr
		}
	}
	return err
}
