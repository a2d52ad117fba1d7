package terminal

import (
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
)

// maxPage is how many rows of a conversation stay on the screen. The journal has the
// rest.
const maxPage = 50_000

// A page stores the conversation for a full-screen view. It is laid out again when the
// width changes.
type page struct {
	flow

	said    []said
	rows    []string // finished rows
	waiting []string // the live region
}

// said is one piece of content: text of a mode, or rows.
type said struct {
	mode    mode
	text    *strings.Builder // nil for rows
	printed []string
}

func newPage(st style, width func() int) *page {
	p := &page{flow: flow{st: st, width: width}}
	p.emit = p.row
	return p
}

// row stores a row, wrapped to the width of the screen.
func (p *page) row(row string) {
	p.rows = append(p.rows, strings.Split(lipgloss.Wrap(row, p.columns(), ""), "\n")...)
}

func (p *page) stream(m mode, text string) {
	if n := len(p.said); n > 0 && p.said[n-1].text != nil && p.said[n-1].mode == m {
		p.said[n-1].text.WriteString(text)
	} else {
		s := said{mode: m, text: new(strings.Builder)}
		s.text.WriteString(text)
		p.said = append(p.said, s)
	}
	p.flow.stream(m, text)
}

func (p *page) print(rows ...string) {
	printed := make([]string, len(rows))
	for i, row := range rows {
		printed[i] = strings.ReplaceAll(row, "\t", tabWidth)
	}
	p.said = append(p.said, said{printed: printed})
	p.put(printed)
}

func (p *page) put(rows []string) {
	p.end()
	for _, row := range rows {
		p.row(row)
	}
	if len(p.rows) > maxPage {
		p.forget()
	}
}

// forget drops the older half of the content.
func (p *page) forget() {
	p.said = slices.Delete(p.said, 0, len(p.said)/2)
	p.layOut()
	p.rows = p.rows[max(0, len(p.rows)-maxPage):]
}

// layOut lays out all rows again.
func (p *page) layOut() {
	p.rows = nil
	p.flow = flow{st: p.st, width: p.width, emit: p.row, answer: answer{rendered: p.answer.rendered}}
	for _, s := range p.said {
		if s.text != nil {
			p.flow.stream(s.mode, s.text.String())
			continue
		}
		p.end()
		for _, row := range s.printed {
			p.row(row)
		}
	}
}

// all returns all rows, including the unfinished ones.
func (p *page) all() []string {
	tail := p.tail() // this may finish rows
	return append(slices.Clip(p.rows), tail...)
}

func (p *page) live(rows []string) { p.waiting = rows }

func (p *page) flush() error { return nil }

func (p *page) close() error { return nil }
