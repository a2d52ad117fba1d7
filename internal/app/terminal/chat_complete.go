package terminal

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// maxFiles is how many files are looked at for one menu.
const maxFiles = 5000

// complete gives a key to the menu that completes the input. It reports whether it was
// one for that.
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

// completions is the menu for what is being typed, nil where nothing fits: commands
// at the beginning, or files that are mentioned.
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

// walk lists files below a folder, without what is hidden.
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
		case d == nil || err != nil && d.IsDir(): // what cannot be read is left out
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
