package terminal

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/ansi"
	"github.com/turnwire/turnwire/internal/textwidth"
)

const (
	minWidth = 20
	// tabWidth replaces a tab, because with the terminal's tab stops the width of a row
	// would be unknown.
	tabWidth = "    "
	// maxTail limits how many rows of an unfinished block are shown. The live region must
	// be smaller than any usual terminal.
	maxTail = 10
)

// A screen paints on a terminal in raw mode. Finished rows scroll away for good. Below
// them is the live region: the last row of unfinished text, running calls, and the open
// question. Only the live region is redrawn.
type screen struct {
	flow

	out    io.Writer
	buf    bytes.Buffer // written by the next flush
	shown  []string
	region []string
	hidden bool
}

func newScreen(out io.Writer, st style, width func() int) *screen {
	s := &screen{flow: flow{st: st, width: width}, out: out}
	s.emit = s.row
	return s
}

func (s *screen) print(rows ...string) {
	s.end()
	for _, row := range rows {
		s.row(strings.ReplaceAll(row, "\t", tabWidth))
	}
}

// row writes a finished row of any length. The terminal wraps it, so that copied text has
// no line breaks.
func (s *screen) row(row string) {
	s.erase()
	s.buf.WriteString(row)
	s.buf.WriteString("\r\n")
}

func (s *screen) live(rows []string) { s.region = rows }

// erase removes the live region from the terminal.
func (s *screen) erase() {
	if s.shown == nil {
		return
	}
	height := 0
	for _, row := range s.shown {
		// A terminal that became narrower has wrapped the row.
		height += 1 + max(0, textwidth.Width(row)-1)/s.columns()
	}
	s.buf.WriteByte('\r')
	if height > 1 {
		s.buf.WriteString(ansi.CursorUp(height - 1))
	}
	s.buf.WriteString(ansi.EraseBelow)
	s.shown = nil
}

// flush draws the live region and writes everything at once. Terminals that support
// synchronized updates show it as one frame.
func (s *screen) flush() error {
	rows := s.tail()
	rows = rows[max(0, len(rows)-maxTail):]
	for _, row := range s.region {
		row = strings.ReplaceAll(row, "\t", tabWidth)
		rows = append(rows, textwidth.Truncate(row, s.columns()-1, "…"))
	}
	if s.buf.Len() == 0 && slices.Equal(rows, s.shown) {
		return nil
	}
	s.erase()
	s.buf.WriteString(strings.Join(rows, "\r\n"))
	if len(rows) > 0 {
		s.shown = rows
	}
	var frame bytes.Buffer
	frame.WriteString(ansi.BeginFrame)
	if !s.hidden {
		frame.WriteString(ansi.HideCursor)
		s.hidden = true
	}
	frame.Write(s.buf.Bytes())
	frame.WriteString(ansi.EndFrame)
	s.buf.Reset()
	_, err := s.out.Write(frame.Bytes())
	return err
}

// close leaves the cursor visible, at the start of an empty line.
func (s *screen) close() error {
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
