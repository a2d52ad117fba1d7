package terminal

import "github.com/turnwire/turnwire/internal/markdown"

// An answer is Markdown that arrives in pieces.
type answer struct {
	rendered bool // else it is shown as it is
	text     markdown.Stream
	begun    bool // a block of it was shown
}

// finished takes the rows of the blocks that are complete.
func (a *answer) finished(o markdown.Options) []string {
	return a.take(markdown.Rows(a.text.Finished(), o))
}

// end takes all rows. What comes after them is another answer.
func (a *answer) end(o markdown.Options) []string {
	rows := a.take(markdown.Rows(a.text.All(), o))
	a.begun = false
	return rows
}

func (a *answer) take(rows []string) []string {
	rows = a.apart(rows)
	a.begun = a.begun || len(rows) > 0
	return rows
}

// tail returns the rows of what is not complete.
func (a *answer) tail(o markdown.Options) []string {
	return a.apart(markdown.Rows(a.text.Pending(), o))
}

// apart puts an empty row between blocks.
func (a *answer) apart(rows []string) []string {
	if a.begun && len(rows) > 0 {
		return append([]string{""}, rows...)
	}
	return rows
}
