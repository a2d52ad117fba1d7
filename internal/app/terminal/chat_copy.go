package terminal

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// copyAnswer copies the agent's last message to the clipboard, in terminals that support
// OSC 52.
func (m *chat) copyAnswer() tea.Cmd {
	for _, p := range slices.Backward(m.page.pieces) {
		if p.text != nil && p.mode == messageMode {
			m.remark = "copied the last answer"
			return tea.SetClipboard(p.text.String())
		}
	}
	m.remark = "there is no answer to copy"
	return nil
}

// remember saves a prompt for later sessions.
func (m *chat) remember(text string) {
	if text != "" && m.opts.Chat.Remember != nil {
		m.opts.Chat.Remember(text)
	}
}
