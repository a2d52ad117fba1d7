package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/turnwire/turnwire/internal/textwidth"
)

const (
	// maxCuts is how many cut texts can be shown whole.
	maxCuts = 32
	// maxCutRows bounds the rows of one of them.
	maxCutRows = 20_000
)

// A cutText is a text of which the conversation shows only a part.
type cutText struct {
	title string
	rows  []string
}

// cut is like bound. It keeps the whole text, so that the user can read it in a pager.
func (t *transcript) cut(title string, rows []string, limit int) []string {
	if len(rows) > limit && t.st.live {
		t.cuts = append(t.cuts, cutText{title, rows[:min(len(rows), maxCutRows)]})
		if len(t.cuts) > maxCuts {
			t.cuts = append(t.cuts[:0:0], t.cuts[1:]...)
		}
	}
	return bound(t.st, rows, limit)
}

// A pager shows one of the cut texts on the whole screen.
type pager struct {
	texts []cutText
	at    int // index of the shown text
	top   int // the first visible row
	find  *search
}

// expand shows the newest text that was cut.
func (m *chat) expand() {
	if len(m.log.cuts) == 0 {
		m.log.say("nothing was cut")
		return
	}
	m.pager = &pager{texts: m.log.cuts, at: len(m.log.cuts) - 1}
}

func (p *pager) rows() []string { return p.texts[p.at].rows }

// pressed handles a key, and reports whether the pager stays open. page is the number of
// visible rows.
func (p *pager) pressed(k tea.KeyPressMsg, page int) (open bool) {
	if p.find != nil {
		p.searched(k, page)
		return true
	}
	switch k.String() {
	case "esc", "q", "ctrl+o", "ctrl+c":
		return false
	case "up", "k":
		p.top--
	case "down", "j", "enter":
		p.top++
	case "pgup", "b":
		p.top -= page
	case "pgdown", "space", " ":
		p.top += page
	case "home", "g", "ctrl+home":
		p.top = 0
	case "end", "G", "ctrl+end":
		p.top = len(p.rows())
	case "left":
		p.at, p.top = max(0, p.at-1), 0
	case "right":
		p.at, p.top = min(p.at+1, len(p.texts)-1), 0
	case "/", "ctrl+f":
		p.find = &search{at: -1, forward: true}
	}
	p.clamp(page)
	return true
}

// searched handles a key while the user searches.
func (p *pager) searched(k tea.KeyPressMsg, page int) {
	if !p.find.pressed(k, p.rows(), p.top) {
		p.find = nil
		return
	}
	if p.find.at >= 0 {
		p.top = p.find.at - page/2
	}
	p.clamp(page)
}

func (p *pager) clamp(page int) { p.top = max(0, min(p.top, len(p.rows())-page)) }

// view returns the screen's rows.
func (p *pager) view(st style, width, height int) []string {
	page := p.page(height)
	p.clamp(page)
	rows := make([]string, 0, height)
	for i := p.top; i < min(p.top+page, len(p.rows())); i++ {
		row := textwidth.Truncate(strings.ReplaceAll(p.rows()[i], "\t", tabWidth), width, "…")
		if p.find != nil && p.find.at == i {
			row = reversed(ansi.Strip(row))
		}
		rows = append(rows, row)
	}
	for len(rows) < page {
		rows = append(rows, "")
	}
	state := p.state()
	if p.find != nil {
		return append(rows, textwidth.Truncate(p.find.row(st), width, "…"))
	}
	return append(rows, textwidth.Truncate(st.bold(p.texts[p.at].title)+"  "+st.dim(state), width, "…"))
}

// page returns how many rows of the text fit on the screen.
func (*pager) page(height int) int { return max(1, height-1) }

func (p *pager) state() string {
	state := "/ searches, Esc closes"
	if len(p.texts) > 1 {
		state = "Left and Right show other texts, " + state
	}
	return state
}
