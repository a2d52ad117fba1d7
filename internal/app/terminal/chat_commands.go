package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// An ownCommand is a command of the chat itself. An agent's command with the same name
// comes first.
type ownCommand struct {
	name, about string
	run         func(m *chat) tea.Cmd
}

// ownCommands returns the chat's commands.
func ownCommands() []ownCommand {
	return []ownCommand{
		{"help", "show the keys and commands", (*chat).help},
		{"model", "choose a model", func(m *chat) tea.Cmd { return m.choose("model", m.valuesIn("model")) }},
		{"mode", "choose a mode", func(m *chat) tea.Cmd { return m.choose("mode", m.modes()) }},
		{"sessions", "open another session of this folder", (*chat).askSessions},
		{"rewind", "edit an earlier message and go on from there", (*chat).rewind},
		{"clear", "start a new session", (*chat).startAnew},
		{"export", "save the session as Markdown", (*chat).export},
		{"quit", "leave the chat", func(*chat) tea.Cmd { return tea.Quit }},
	}
}

// command runs the chat's own commands, and commands of the user's shell. It reports
// whether the input is one.
func (m *chat) command(text string) (cmd tea.Cmd, done bool) {
	if line, shell := strings.CutPrefix(text, "!"); shell && strings.TrimSpace(line) != "" {
		return m.runShell(strings.TrimSpace(line)), true
	}
	name, ok := strings.CutPrefix(text, "/")
	if !ok || m.offers(name) {
		return nil, false
	}
	for _, c := range ownCommands() {
		if c.name == name {
			return c.run(m), true
		}
	}
	return nil, false
}

// offers reports whether the agent has a command with this name.
func (m *chat) offers(name string) bool {
	for _, c := range m.state.commands {
		if c.Name == name {
			return true
		}
	}
	return false
}

// choose opens a menu of values. If it would be empty, it says so.
func (m *chat) choose(what string, items []item) tea.Cmd {
	if len(items) == 0 {
		m.log.say("the agent offers no " + what + " to choose")
		return nil
	}
	m.menu = &menu{title: "Choose a " + what, items: items}
	m.menu.at = max(0, slices.IndexFunc(items, func(i item) bool { return i.current }))
	return nil
}

// valuesIn returns the values of the options in a category.
func (m *chat) valuesIn(category string) (items []item) {
	for _, o := range m.state.options {
		if o.Category == category {
			items = append(items, m.valuesOf(&o)...)
		}
	}
	return items
}

// startAnew leaves the session for a new one.
func (m *chat) startAnew() tea.Cmd {
	switch {
	case m.opts.Leave == nil:
		m.log.say("this chat can't start another session")
	case m.running && !m.opts.Lasting:
		m.log.say("a turn is running: cancel it before you start a new session")
	default:
		return m.leaveFor("")()
	}
	return nil
}

// export writes the session to a file.
func (m *chat) export() tea.Cmd {
	if m.opts.Chat.Export == nil || m.talk.id == "" {
		m.log.say("this session is not saved, so it can't be exported")
		return nil
	}
	id := m.talk.id
	return m.inBackground(func() {
		file, err := m.opts.Chat.Export(id)
		if err != nil {
			m.talk.deliver(&remarked{"the session was not exported: " + err.Error()})
			return
		}
		m.talk.deliver(&remarked{"saved as " + file})
	})()
}

// help shows the keys and commands.
func (m *chat) help() tea.Cmd {
	rows := []string{m.log.st.bold("Keys")}
	for _, k := range [][2]string{
		{"F1", "this list"},
		{"Enter", "send; while the agent works, queue the prompt"},
		{"Alt-Enter", "add a line"},
		{"Esc", "cancel the turn, and pause the queue"},
		{"Esc Esc", "edit an earlier message and go on from there"},
		{"Ctrl-S", "send now: into the turn, or after cancelling it"},
		{"Ctrl-T, Shift-Tab", "modes, models and options; next mode"},
		{"Ctrl-O", "show what was cut"},
		{"Ctrl-Y", "copy the last answer"},
		{"Ctrl-F, PgUp, PgDn", "search, scroll"},
		{"Ctrl-R", "other sessions"},
		{"Ctrl-G", "write the prompt in your editor"},
		{"Ctrl-Z", "suspend the chat"},
		{"Ctrl-C", "cancel the turn, clear the input, quit"},
		{"@, !", "attach a file; run a command yourself"},
	} {
		rows = append(rows, "  "+k[0]+strings.Repeat(" ", max(1, 20-len(k[0])))+m.log.st.dim(k[1]))
	}
	rows = append(rows, m.log.st.bold("Commands"))
	for _, c := range ownCommands() {
		if !m.offers(c.name) {
			rows = append(rows, "  /"+c.name+strings.Repeat(" ", max(1, 19-len(c.name)))+m.log.st.dim(c.about))
		}
	}
	m.log.begin(sectionNotice)
	m.log.out.print(rows...)
	return nil
}
