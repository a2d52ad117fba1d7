package terminal

import (
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/turnwire/turnwire/internal/textwidth"
)

// View implements [tea.Model].
func (m *chat) View() tea.View {
	rows := m.screen()
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen, v.ReportFocus, v.WindowTitle, v.ProgramStatus = true, true, m.windowTitle(), m.programStatus()
	if m.opts.Chat.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// screen returns the rows of the screen.
func (m *chat) screen() []string {
	if m.pager != nil {
		return m.pager.view(m.log.st, m.width, m.height)
	}
	bottom, rows := m.bottom(), m.page.all()
	window := max(0, m.height-len(bottom))
	end := max(0, len(rows)-m.back)
	first := max(0, end-window)
	shown := append(make([]string, 0, m.height), rows[first:end]...)
	if len(rows) == 0 {
		shown = append(shown, m.greeting()...)
	}
	if m.find != nil && m.find.at >= first && m.find.at < end {
		row := &shown[m.find.at-first]
		*row = reversed(ansi.Strip(*row))
	}
	for len(shown) < window { // keep a short conversation at the top
		shown = append(shown, "")
	}
	return append(shown[:window], bottom...)
}

// window returns how many rows of the page are visible.
func (m *chat) window() int { return max(1, m.height-len(m.bottom())) }

// windowTitle returns the terminal's title: what the agent does, and the session's title.
func (m *chat) windowTitle() string {
	title := "Turnwire"
	if m.state.title != "" {
		title = m.state.title
	}
	switch {
	case len(m.turn.open) > 0:
		return "Waiting: " + title
	case m.works():
		return "Working: " + title
	case m.ended != nil && m.ended.err != nil:
		return "Failed: " + title
	case m.ended != nil:
		return "Done: " + title
	}
	return title
}

// programStatus says the same to terminals that show it, such as in their tabs.
func (m *chat) programStatus() *tea.ProgramStatus {
	status := &tea.ProgramStatus{State: tea.ProgramStateIdle, App: "turnwire"}
	switch {
	case len(m.turn.open) > 0:
		status.State, status.Kind = tea.ProgramStateBlocked, tea.ProgramStatusKindQuestion
		if m.log.subjectOfOpen() != nil {
			status.Kind = tea.ProgramStatusKindPermission
		}
	case m.works():
		status.State = tea.ProgramStateWorking
	case m.ended != nil && m.ended.err != nil:
		status.State = tea.ProgramStateError
	case m.ended != nil:
		status.State = tea.ProgramStateDone
	}
	return status
}

// greeting returns the rows of an empty conversation.
func (m *chat) greeting() []string {
	st := m.log.st
	return []string{
		"", "  " + st.bold(m.agent()), "  " + st.dim(cleanLine(m.opts.Cwd)), "",
		"  " + st.dim("Esc cancels · Ctrl-T modes, models, options · F1 lists all keys"),
	}
}

func (m *chat) agent() string {
	if name := cleanLine(m.initialized.name()); m.ready && name != "" {
		return name
	}
	return "Turnwire"
}

// bottom returns the rows below the conversation: running calls, the open question,
// queued prompts, the input and the status.
func (m *chat) bottom() (rows []string) {
	st := m.log.st
	for _, row := range m.log.liveRows() {
		rows = append(rows, strings.Split(lipgloss.Wrap(row, m.width, ""), "\n")...)
	}
	rows = rows[max(0, len(rows)-m.height*2/3):]
	if m.works() && len(rows) == 0 {
		rows = append(rows, st.accent(spinner[m.log.frame%len(spinner)])+" "+st.dim(duration(m.log.worked())))
	}
	for _, s := range m.steering {
		rows = append(rows, m.cut(st.accent("→ ")+st.dim(cleanLine(s.text)+"  (sent, not read yet)")))
	}
	for i, text := range m.queue {
		rows = append(rows, m.cut(st.accent("⏵ ")+st.dim(cleanLine(text)+m.queueHint(i))))
	}
	switch {
	case m.menu != nil:
		for _, row := range m.menu.rows(st) {
			rows = append(rows, m.cut(row))
		}
	case m.find != nil:
		rows = append(rows, m.cut(m.find.row(st)))
	}
	if len(m.turn.open) > 0 && m.input.value() != "" {
		hint := "Tab answers and keeps your draft"
		if m.answering {
			hint = "Tab returns to your draft"
		}
		rows = append(rows, m.cut(st.dim(hint)))
	}
	rows = append(rows, m.inputRows()...)
	return rows[max(0, len(rows)-m.height):]
}

func (m *chat) queueHint(i int) string {
	switch {
	case i < len(m.queue)-1:
		return ""
	case !m.ready:
		return "  (sent when the agent is ready, Up edits it)"
	case m.paused:
		return "  (paused: Enter sends, Up edits it)"
	}
	if m.steers() {
		return "  (Up edits it, Ctrl-S sends it into the turn)"
	}
	return "  (Up edits it, Ctrl-S cancels and sends)"
}

func (m *chat) inputRows() []string {
	border := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(lipgloss.BrightBlack).Padding(0, 1).Width(m.width)
	if len(m.turn.open) > 0 && m.input.value() == "" {
		return []string{m.status()}
	}
	return append(strings.Split(border.Render(m.input.area.View()), "\n"), m.status())
}

// status returns the status line, shortened to the available space.
func (m *chat) status() string {
	st := m.log.st
	var parts []string
	switch {
	case m.remark != "":
		parts = append(parts, m.remark)
	case m.leaving:
		parts = append(parts, "press Ctrl-C again to quit")
	case !m.ready:
		parts = append(parts, "starting…")
	case m.back > 0:
		parts = append(parts, "scrolled: Ctrl-End goes to the end")
	}
	parts = append(parts, m.agent())
	parts = append(parts, m.state.summary()...)
	parts = append(parts, filepath.Base(m.opts.Cwd))
	return m.cut(st.dim(strings.Join(parts, " · ")))
}

func (m *chat) cut(row string) string { return textwidth.Truncate(row, m.width, "…") }
