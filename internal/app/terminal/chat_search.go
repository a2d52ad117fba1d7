package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// A search finds text in rows: backward from the end, or forward from a position.
type search struct {
	typed   string
	at      int // the row that matches; -1 if none
	forward bool
}

// find looks for the next matching row from a position, in the direction of step.
func (s *search) find(rows []string, from, step int) {
	wanted := strings.ToLower(s.typed)
	for i := from; i >= 0 && i < len(rows) && wanted != ""; i += step {
		if strings.Contains(strings.ToLower(ansi.Strip(rows[i])), wanted) {
			s.at = i
			return
		}
	}
}

// pressed handles a key, and reports whether the search stays open. A new text is searched
// from a position on, or from the end.
func (s *search) pressed(k tea.KeyPressMsg, rows []string, from int) (open bool) {
	step := -1
	if s.forward {
		step = 1
	} else {
		from = len(rows) - 1
	}
	switch k.String() {
	case "esc", "ctrl+c", "ctrl+f":
		return false
	case "enter":
		s.find(rows, s.at+step, step)
	case "up":
		s.find(rows, s.at-1, -1)
	case "down":
		s.find(rows, s.at+1, 1)
	case "backspace":
		s.typed, s.at = string(drop([]rune(s.typed))), -1
		s.find(rows, from, step)
	default:
		if k.Text != "" {
			s.typed, s.at = s.typed+k.Text, -1
			s.find(rows, from, step)
		}
	}
	return true
}

// searched handles a key while searching, and shows the match.
func (m *chat) searched(k tea.KeyPressMsg) {
	rows := m.page.all()
	if !m.find.pressed(k, rows, 0) {
		m.find = nil
		return
	}
	if m.find.at >= 0 {
		m.back = max(0, len(rows)-m.find.at-m.window()/2)
	}
}

func (s *search) row(st style) string {
	state := "Enter older match, Down newer match, Esc closes"
	if s.forward {
		state = "Enter next match, Up previous match, Esc closes"
	}
	if s.typed != "" && s.at < 0 {
		state = "not found"
	}
	return st.bold("Search: ") + s.typed + "▏ " + st.dim(state)
}

// reversed marks a row as the match.
func reversed(row string) string { return lipgloss.NewStyle().Reverse(true).Render(row) }
