package terminal

import (
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// pressed passes a key to the open search, menu or question, or else to the input. Keys
// that aren't meant for the question go to the input.
func (m *chat) pressed(k tea.KeyPressMsg) (cmd tea.Cmd) {
	m.remark = ""
	if k.String() != "ctrl+c" {
		m.leaving = false
	}
	m.escaping = m.escaping && k.String() == "esc"
	ready := m.turn.focus.press(time.Now())
	switch {
	case m.pager != nil:
		if !m.pager.pressed(k, m.pager.page(m.height)) {
			m.pager = nil
		}
		return nil
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
	case m.answered(k, ready):
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

// scrolled handles keys that scroll the conversation.
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

// answered passes a key to the open question, and reports whether the key was meant for
// it. While the draft waits, every key is, except Esc, which cancels as usual.
func (m *chat) answered(press tea.KeyPressMsg, ready bool) bool {
	switch {
	case len(m.turn.open) == 0:
		return false
	case press.String() == "tab" && m.menu == nil && m.input.value() != "":
		m.answering = !m.answering
		return true
	}
	return m.answer(keysOf(press), ready) || m.answering && press.String() != "esc"
}

// answer passes keys to the open question, and reports whether it used them.
func (m *chat) answer(keys []key, ready bool) (used bool) {
	id := m.turn.open[0].request()
	for _, k := range keys {
		if len(m.turn.open) == 0 || m.turn.open[0].request() != id {
			break // the next question is a different one
		}
		one, err := m.turn.answer(k, ready)
		used = used || one
		switch {
		case err == nil:
		case m.running: // the prompt isn't sent yet
			m.cancels = true
		case len(m.turn.open) > 0: // no turn runs that could be cancelled
			m.turn.settle(m.turn.open[0])
		}
	}
	return used
}

// pasted passes a pasted text to the open question if that accepts text.
func (m *chat) pasted(text string) bool {
	ready := m.turn.focus.press(time.Now())
	if len(m.turn.open) == 0 || m.find != nil || m.menu != nil {
		return false
	}
	return m.answer(keysIn(strings.Join(strings.Fields(text), " "), true), ready)
}

func keysIn(text string, burst bool) (all []key) {
	for _, r := range text {
		all = append(all, key{code: keyChar, char: r, burst: burst})
	}
	return all
}

// keysOf converts a key press for questions.
func keysOf(press tea.KeyPressMsg) []key {
	switch press.String() {
	case "enter":
		return []key{{code: keyEnter}}
	case "esc":
		return []key{{code: keyEscape}}
	case "backspace":
		return []key{{code: keyErase}}
	case "ctrl+w", "alt+backspace":
		return []key{{code: keyEraseWord}}
	case "ctrl+u":
		return []key{{code: keyEraseAll}}
	case "ctrl+c":
		return []key{{code: keyInterrupt}}
	}
	return keysIn(press.Text, utf8.RuneCountInString(press.Text) > 1)
}

// typed handles a key for the input.
func (m *chat) typed(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "enter":
		return m.entered()
	case "ctrl+s":
		return m.sendNow()
	case "esc":
		m.back = 0
		if m.endShell != nil {
			m.endShell()
			return nil
		}
		if m.works() {
			m.paused = len(m.queue) > 0
			m.cancel()
			return nil
		}
		return m.escaped()
	case "ctrl+c":
		return m.interrupted()
	case "ctrl+d":
		if m.input.value() == "" {
			return tea.Quit
		}
	case "ctrl+f":
		m.find = &search{at: -1}
		return nil
	case "f1":
		return m.help()
	case "ctrl+t":
		m.menu = m.optionsMenu()
		return nil
	case "ctrl+o":
		m.expand()
		return nil
	case "ctrl+y":
		return m.copyAnswer()
	case "ctrl+g":
		return m.openEditor()
	case "ctrl+z":
		return tea.Suspend
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

// entered sends the input. While the session opens or a turn runs, it queues the input. An
// empty input resumes a paused queue.
func (m *chat) entered() tea.Cmd {
	text := m.input.submit()
	if cmd, done := m.command(text); done {
		return cmd
	}
	m.remember(text)
	switch {
	case text == "" && m.paused && !m.works():
		m.paused = false
		return m.sendNext()
	case text == "":
	case !m.ready, m.works():
		m.queue = append(m.queue, text)
	default:
		return m.send(text)
	}
	return nil
}

// sendNow sends the input, or else the queued prompts. If the agent doesn't read messages
// during its turn, it cancels the turn first.
func (m *chat) sendNow() tea.Cmd {
	if !m.works() {
		return m.entered()
	}
	text := m.input.submit()
	switch {
	case m.steers() && text != "":
		return m.steer(text)
	case m.steers():
		all := m.queue
		m.queue, m.paused = nil, false
		return m.steer(all...)
	case text != "":
		m.queue = append([]string{text}, m.queue...)
	}
	if len(m.queue) > 0 {
		m.paused = false
		m.cancel()
	}
	return nil
}

// pulled moves the newest queued prompt back into an empty input.
func (m *chat) pulled() bool {
	n := len(m.queue)
	if n == 0 || m.input.value() != "" {
		return false
	}
	m.input.set(m.queue[n-1])
	m.queue = m.queue[:n-1]
	m.paused = m.paused && n > 1
	return true
}

func (m *chat) cancel() {
	if !m.turn.cancelled {
		m.cancels = m.turn.interrupt() != nil
	}
}

// interrupted cancels the turn, then clears the input, and then ends the chat.
func (m *chat) interrupted() tea.Cmd {
	switch {
	case m.works() && !m.turn.cancelled:
		m.queue, m.paused = nil, false
		m.cancel()
	case m.input.value() != "":
		m.input.submit()
	case m.leaving || m.running:
		return tea.Quit
	default:
		m.leaving = true
	}
	return nil
}
