package terminal

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// maxPage is how many rows of a conversation stay on the screen. The journal has the
// rest.
const maxPage = 50_000

// A page shows a screen in a window that it has for itself, as far back as the user scrolls.
// It is laid out again when the width changes.
type page struct {
	screen

	pieces []piece
}

// piece is one piece of content: text of a mode, or rows.
type piece struct {
	mode    mode
	text    *strings.Builder // nil for rows
	printed []string
}

func newPage(st style, width func() int) *page {
	p := &page{}
	p.screen = newScreen(st, width, p.row)
	return p
}

// row adds a row, wrapped to the width of the window.
func (p *page) row(row string) {
	p.rows = append(p.rows, strings.Split(lipgloss.Wrap(row, p.columns(), ""), "\n")...)
}

func (p *page) stream(m mode, text string) {
	if n := len(p.pieces); n > 0 && p.pieces[n-1].text != nil && p.pieces[n-1].mode == m {
		p.pieces[n-1].text.WriteString(text)
	} else {
		s := piece{mode: m, text: new(strings.Builder)}
		s.text.WriteString(text)
		p.pieces = append(p.pieces, s)
	}
	p.flow.stream(m, text)
}

func (p *page) print(rows ...string) {
	p.pieces = append(p.pieces, piece{printed: slices.Clone(rows)})
	p.screen.print(rows...)
	if len(p.rows) > maxPage {
		p.forget()
	}
}

// forget drops the older half of the content.
func (p *page) forget() {
	p.pieces = slices.Delete(p.pieces, 0, len(p.pieces)/2)
	p.layOut()
	p.rows = p.rows[max(0, len(p.rows)-maxPage):]
}

// layOut lays out all rows again.
func (p *page) layOut() {
	p.rows = nil
	p.flow = flow{st: p.st, width: p.width, emit: p.row, answer: answer{rendered: p.answer.rendered}}
	for _, s := range p.pieces {
		if s.text != nil {
			p.flow.stream(s.mode, s.text.String())
			continue
		}
		p.screen.print(s.printed...)
	}
}

// all returns all rows, including the unfinished ones.
func (p *page) all() []string {
	tail := p.tail() // this may finish rows
	return append(slices.Clip(p.rows), tail...)
}

func (p *page) flush() error { return nil }

func (p *page) close() error { return nil }
