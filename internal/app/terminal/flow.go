package terminal

import (
	"strings"

	"github.com/turnwire/turnwire/internal/markdown"
	"github.com/turnwire/turnwire/internal/textwidth"
)

// A flow converts streamed text into rows. It emits a row when no further text can change
// it. Rows that may still change are the tail.
//
// Text is wrapped at words. All rows of a wrapped line except the last are final, because
// text that is appended to the line never changes them. With Markdown, a block is final
// when no further text can change it.
type flow struct {
	st    style
	width func() int
	emit  func(row string)

	mode   mode
	line   string // the unfinished row, without styles
	open   bool   // line continues a streamed line
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
		// Leave space for the mark of a thought and for the cursor.
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

// end finishes the streamed text.
func (f *flow) end() {
	if f.open {
		f.endLine()
	}
	for _, row := range f.answer.end(f.options()) {
		f.emit(row)
	}
}

// tail emits the finished rows, and returns the unfinished ones.
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
