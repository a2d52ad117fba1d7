package terminal

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// maxFiles limits how many directory entries are visited for one menu.
const maxFiles = 5000

// complete passes a key to the completion menu. It reports whether the menu used it.
func (m *chat) complete(k tea.KeyPressMsg) (cmd tea.Cmd, done bool) {
	fit := m.menu.fitting()
	switch {
	case k.String() == "esc":
		m.menu = nil
	case m.menu.moved(k):
	case k.String() == "tab", k.String() == "enter" && fit[m.menu.at].name != m.menu.typed:
		cmd = fit[m.menu.at].choose()
		m.menu = nil
	default:
		return nil, false
	}
	return cmd, true
}

// completions returns the menu for the word being typed, or nil if nothing matches. It
// completes commands at the beginning, and mentioned files.
func (m *chat) completions() *menu {
	list := m.candidates(m.input.value())
	if list == nil || len(list.fitting()) == 0 {
		return nil
	}
	if m.menu != nil && m.menu.completes && m.menu.title == list.title {
		list.at = min(m.menu.at, len(list.fitting())-1)
	}
	return list
}

func (m *chat) candidates(text string) *menu {
	if strings.HasPrefix(text, "/") && !strings.ContainsAny(text, " \n") {
		list := &menu{title: "Commands", typed: text, completes: true}
		for _, c := range m.state.commands {
			name := cleanLine(c.Name)
			list.items = append(list.items, item{name: "/" + name, detail: cleanLine(c.Description), choose: func() tea.Cmd {
				m.input.set("/" + name + " ")
				return nil
			}})
		}
		for _, c := range ownCommands() {
			if !m.offers(c.name) {
				list.items = append(list.items, item{name: "/" + c.name, detail: c.about, choose: func() tea.Cmd {
					m.input.set("/" + c.name)
					return nil
				}})
			}
		}
		return list
	}
	found := mention().FindStringSubmatch(text)
	if found == nil {
		return nil
	}
	list := &menu{title: "Files", typed: found[1], completes: true}
	before := strings.TrimSuffix(text, found[1])
	if m.found == nil || found[1] == "" {
		m.found = walk(m.opts.Cwd)
	}
	for _, path := range m.found {
		list.items = append(list.items, item{name: path, choose: func() tea.Cmd {
			m.input.set(before + path + " ")
			return nil
		}})
	}
	return list
}

// walk lists the files below a folder, without hidden ones.
func walk(root string) (paths []string) {
	within, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer func() { _ = within.Close() }()
	seen := 0
	_ = fs.WalkDir(within.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxFiles:
			return fs.SkipAll
		case d == nil || err != nil && d.IsDir(): // skip what can't be read
			return fs.SkipDir
		case path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			paths = append(paths, cleanLine(filepath.FromSlash(path)))
		}
		return nil
	})
	return paths
}
