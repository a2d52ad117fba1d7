package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A search finds text in the conversation, newest first.
type search struct {
	typed string
	at    int // the row that matches; -1 if none
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

// searched handles a key while searching, and shows the match.
func (m *chat) searched(k tea.KeyPressMsg) {
	s, rows := m.find, m.page.all()
	switch k.String() {
	case "esc", "ctrl+c", "ctrl+f":
		m.find = nil
		return
	case "enter", "up":
		s.find(rows, s.at-1, -1)
	case "down":
		s.find(rows, s.at+1, 1)
	case "backspace":
		s.typed, s.at = string(drop([]rune(s.typed))), -1
		s.find(rows, len(rows)-1, -1)
	default:
		if k.Text == "" {
			return
		}
		s.typed, s.at = s.typed+k.Text, -1
		s.find(rows, len(rows)-1, -1)
	}
	if s.at >= 0 {
		m.back = max(0, len(rows)-s.at-m.window()/2)
	}
}

func (s *search) row(st style) string {
	state := "Enter older match, Down newer match, Esc closes"
	if s.typed != "" && s.at < 0 {
		state = "not found"
	}
	return st.bold("Search: ") + s.typed + "▏ " + st.dim(state)
}
