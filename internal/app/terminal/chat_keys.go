package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// pressed gives a key to what is open: a search, a menu, a question of the agent, or
// the input.
func (m *chat) pressed(k tea.KeyPressMsg) (cmd tea.Cmd) {
	if k.String() != "ctrl+c" {
		m.leaving = false
	}
	switch {
	case m.scrolled(k):
		return nil
	case m.find != nil:
		m.searched(k)
		return nil
	case m.menu != nil && !m.menu.completes:
		var open bool
		if cmd, open = m.menu.pressed(k); !open {
			m.menu = nil
		}
		return cmd
	case len(m.turn.open) > 0:
		m.answered(k)
		return nil
	}
	if m.menu != nil {
		if cmd, done := m.complete(k); done {
			return cmd
		}
	}
	cmd = m.typed(k)
	if m.menu == nil || m.menu.completes {
		m.menu = m.completions()
	}
	return cmd
}

// scrolled moves through what was said.
func (m *chat) scrolled(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "pgup":
		m.scroll(m.window() - 1)
	case "pgdown":
		m.scroll(1 - m.window())
	case "ctrl+home":
		m.scroll(len(m.page.all()))
	case "ctrl+end":
		m.back = 0
	default:
		return false
	}
	return true
}

// answered gives a key to the question that is open.
func (m *chat) answered(press tea.KeyPressMsg) {
	for _, k := range keysOf(press) {
		if m.turn.key(k) != nil { // the prompt is not on its way
			m.cancels = true
		}
	}
}

// keysOf are the keys of a press, as questions know them.
func keysOf(press tea.KeyPressMsg) (all []key) {
	now := time.Now()
	switch press.String() {
	case "enter":
		return []key{{code: keyEnter, at: now}}
	case "esc":
		return []key{{code: keyEscape, at: now}}
	case "backspace":
		return []key{{code: keyErase, at: now}}
	case "ctrl+w", "alt+backspace":
		return []key{{code: keyEraseWord, at: now}}
	case "ctrl+u":
		return []key{{code: keyEraseAll, at: now}}
	case "ctrl+c":
		return []key{{code: keyInterrupt, at: now}}
	}
	for _, r := range press.Text {
		all = append(all, key{code: keyChar, char: r, at: now})
	}
	return all
}

// typed is a key for the input.
func (m *chat) typed(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "enter":
		return m.entered()
	case "ctrl+s":
		return m.sendNow()
	case "esc":
		m.back = 0
		if m.running {
			m.cancel()
		}
		return nil
	case "ctrl+c":
		return m.interrupted()
	case "ctrl+d":
		if m.input.value() == "" {
			return tea.Quit
		}
	case "ctrl+f":
		m.find = &search{at: -1}
		return nil
	case "ctrl+o":
		m.menu = m.optionsMenu()
		return nil
	case "ctrl+r":
		return m.askSessions()
	case "shift+tab":
		return m.nextMode()
	case "up":
		if m.input.firstLine() && (m.pulled() || m.input.older()) {
			return nil
		}
	case "down":
		if m.input.lastLine() && m.input.newer() {
			return nil
		}
	}
	return m.input.update(k)
}

// entered sends what is typed, or queues it.
func (m *chat) entered() tea.Cmd {
	if !m.ready {
		return nil
	}
	text := m.input.take()
	switch {
	case text == "":
	case m.running:
		m.queue = append(m.queue, text)
	default:
		return m.send(text)
	}
	return nil
}

// sendNow cancels the turn, after which what is typed, or was queued, is sent.
func (m *chat) sendNow() tea.Cmd {
	if !m.running {
		return m.entered()
	}
	if text := m.input.take(); text != "" {
		m.queue = append([]string{text}, m.queue...)
	}
	if len(m.queue) > 0 {
		m.cancel()
	}
	return nil
}

// pulled takes the newest prompt of the queue back into an empty input.
func (m *chat) pulled() bool {
	n := len(m.queue)
	if n == 0 || m.input.value() != "" {
		return false
	}
	m.input.set(m.queue[n-1])
	m.queue = m.queue[:n-1]
	return true
}

func (m *chat) cancel() {
	if !m.turn.cancelled {
		m.cancels = m.turn.interrupt() != nil
	}
}

// interrupted cancels the turn, then empties the input, and then leaves.
func (m *chat) interrupted() tea.Cmd {
	switch {
	case m.running && !m.turn.cancelled:
		m.queue = nil
		m.cancel()
	case m.input.value() != "":
		m.input.take()
	case m.leaving || m.running:
		return tea.Quit
	default:
		m.leaving = true
	}
	return nil
}
