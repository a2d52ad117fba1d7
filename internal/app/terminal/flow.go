package terminal

import (
	"strings"

	"github.com/turnwire/turnwire/internal/markdown"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A flow makes rows of streamed text. A row is emitted when no more text can change
// it; what may still change is the tail.
//
// Text is wrapped at words. All rows of a wrapped line except the last are finished:
// text that is added to the line never changes them. Of Markdown the blocks are
// finished that no more text can change.
type flow struct {
	st    style
	width func() int
	emit  func(row string)

	mode   mode
	line   string // the unfinished row, not styled
	open   bool   // line continues a line that was streamed
	answer answer
}

func (f *flow) columns() int { return max(minWidth, f.width()) }

func (f *flow) stream(m mode, text string) {
	if f.mode != m {
		f.end()
	}
	f.mode = m
	if m == messageMode && f.answer.rendered {
		f.answer.text.Add(text)
		return
	}
	for piece := range strings.SplitAfterSeq(text, "\n") {
		if piece == "" {
			continue
		}
		line, ended := strings.CutSuffix(piece, "\n")
		f.line += strings.ReplaceAll(line, "\t", tabWidth)
		f.open = true
		// Leave room for the mark of a thought and for the cursor.
		rows := textwidth.Fold(f.line, f.columns()-3)
		for _, row := range rows[:len(rows)-1] {
			f.emit(f.paint(row))
		}
		f.line = rows[len(rows)-1]
		if ended {
			f.endLine()
		}
	}
}

func (f *flow) paint(row string) string {
	if f.mode == thoughtMode {
		return f.st.dim("┊ " + row)
	}
	return row
}

func (f *flow) endLine() {
	f.emit(f.paint(f.line))
	f.line, f.open = "", false
}

// end finishes what was streamed.
func (f *flow) end() {
	if f.open {
		f.endLine()
	}
	for _, row := range f.answer.end(f.options()) {
		f.emit(row)
	}
}

// tail emits what is finished, and returns the rows of what is not.
func (f *flow) tail() []string {
	for _, row := range f.answer.finished(f.options()) {
		f.emit(row)
	}
	rows := f.answer.tail(f.options())
	if f.open {
		rows = append(rows, f.paint(f.line))
	}
	return rows
}

func (f *flow) options() markdown.Options {
	return markdown.Options{Width: f.columns(), Colour: f.st.colour}
}
