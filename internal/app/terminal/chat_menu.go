package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxItems is how many items of a menu are shown at once.
const maxItems = 8

// A menu is a list to choose from. Typing filters it. A menu either has its own filter
// text, or completes the input.
type menu struct {
	title     string
	items     []item
	typed     string
	completes bool // the input
	at        int  // index among the matching items
}

// An item is a menu item.
type item struct {
	name, detail string
	current      bool
	choose       func() tea.Cmd
}

// fitting returns the items that match the filter, best first. Items whose detail contains
// it come last.
func (m *menu) fitting() []item {
	names := make([]string, len(m.items))
	for i := range m.items {
		names[i] = m.items[i].name
	}
	var fit []item
	named := make(map[int]bool)
	for _, i := range rank(m.typed, names) {
		named[i] = true
		fit = append(fit, m.items[i])
	}
	for i, it := range m.items {
		if !m.completes && !named[i] && strings.Contains(strings.ToLower(it.detail), strings.ToLower(m.typed)) {
			fit = append(fit, it)
		}
	}
	return fit
}

// moved moves the selection, and reports whether the key does that.
func (m *menu) moved(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "up", "ctrl+p":
		m.at = max(0, m.at-1)
	case "down", "ctrl+n":
		m.at = max(0, min(m.at+1, len(m.fitting())-1))
	default:
		return false
	}
	return true
}

// pressed returns the chosen command, and whether the menu stays open.
func (m *menu) pressed(k tea.KeyPressMsg) (cmd tea.Cmd, open bool) {
	if m.moved(k) {
		return nil, true
	}
	switch k.String() {
	case "esc", "ctrl+c":
		return nil, false
	case "enter":
		if fit := m.fitting(); m.at < len(fit) {
			return fit[m.at].choose(), false
		}
	case "backspace":
		m.typed = string(drop([]rune(m.typed)))
		m.at = 0
	default:
		if k.Text != "" {
			m.typed += k.Text
			m.at = 0
		}
	}
	return nil, true
}

func (m *menu) rows(st style) []string {
	title := st.bold(m.title) + "  " + st.dim("Tab completes, Esc closes")
	if !m.completes {
		title = strings.TrimRight(st.bold(m.title)+" "+m.typed, " ") + "  " + st.dim("Enter selects, Esc closes, type to filter")
	}
	rows := []string{title}
	fit := m.fitting()
	first := max(0, min(m.at-maxItems/2, len(fit)-maxItems))
	for i := first; i < min(first+maxItems, len(fit)); i++ {
		mark := "  "
		if fit[i].current {
			mark = st.green("✓ ")
		}
		name := fit[i].name
		if i == m.at {
			name = st.accent("› ") + st.bold(name)
		} else {
			name = "  " + name
		}
		rows = append(rows, name+" "+mark+st.dim(fit[i].detail))
	}
	if len(fit) == 0 {
		rows = append(rows, st.dim("  no matches"))
	}
	return rows
}

// optionsMenu lists all options of the session and their values.
func (m *chat) optionsMenu() *menu {
	list := &menu{title: "Choose", items: m.modes()}
	for _, o := range m.state.options {
		if o.Category != modeCategory {
			list.items = append(list.items, m.valuesOf(&o)...)
		}
	}
	return list
}

// modeCategory is the category of the option that holds the session's modes.
const modeCategory = "mode"

// modes returns the session's modes. An agent may offer them as a config option instead.
func (m *chat) modes() (items []item) {
	for _, o := range m.state.options {
		if o.Category == modeCategory {
			return m.valuesOf(&o)
		}
	}
	if m.state.modes == nil {
		return nil
	}
	for _, mode := range m.state.modes.AvailableModes {
		items = append(items, item{
			name: "Mode: " + cleanLine(mode.Name), detail: cleanLine(mode.Description), current: mode.ID == m.state.modes.CurrentModeID,
			choose: m.inBackground(func() { m.talk.setMode(mode.ID) }),
		})
	}
	return items
}

func (m *chat) valuesOf(o *v1.ConfigOption) (items []item) {
	if on := o.CurrentValue.Bool; on != nil {
		to := !*on
		name := cleanLine(o.Name) + map[bool]string{true: ": on", false: ": off"}[to]
		return []item{{name: name, detail: cleanLine(o.Description), choose: m.inBackground(func() { m.talk.setOption(o.ID, v1.ConfigValue{Bool: &to}) })}}
	}
	for _, c := range choices(o) {
		items = append(items, item{
			name: cleanLine(o.Name) + ": " + cleanLine(c.Name), detail: cleanLine(c.Description), current: c.Value == o.CurrentValue.ID,
			choose: m.inBackground(func() { m.talk.setOption(o.ID, v1.ConfigValue{ID: c.Value}) }),
		})
	}
	return items
}

// inBackground runs do outside the loop, because it waits for the agent.
func (m *chat) inBackground(do func()) func() tea.Cmd {
	return func() tea.Cmd {
		return func() tea.Msg {
			do()
			return nil
		}
	}
}

// nextMode selects the mode after the current one.
func (m *chat) nextMode() tea.Cmd {
	modes := m.modes()
	for i, mode := range modes {
		if mode.current {
			return modes[(i+1)%len(modes)].choose()
		}
	}
	return nil
}
