package terminal

import "github.com/turnwire/turnwire/internal/markdown"

// An answer is Markdown that arrives in pieces.
type answer struct {
	rendered bool // false shows the Markdown source
	text     markdown.Stream
	begun    bool // at least one block was shown
}

// finished returns the new rows of complete blocks, and removes those blocks.
func (a *answer) finished(o markdown.Options) []string {
	return a.emit(markdown.Rows(a.text.Finished(), o))
}

// end returns all remaining rows. Text that follows is a new answer.
func (a *answer) end(o markdown.Options) []string {
	rows := a.emit(markdown.Rows(a.text.All(), o))
	a.begun = false
	return rows
}

func (a *answer) emit(rows []string) []string {
	rows = a.apart(rows)
	a.begun = a.begun || len(rows) > 0
	return rows
}

// tail returns the rows of the incomplete block.
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
