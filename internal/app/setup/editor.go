package setup

import "slices"

// An Editor is a program in which agents appear.
type Editor struct {
	Name  string // as on the command line
	Title string // as people call it
	// Start says how to talk to an agent there, with %s for its name.
	Start string
	files func(m Machine) []File
	empty format // of an empty file
}

// Editors lists the editors in the order in which help shows them.
func Editors() []Editor {
	return []Editor{zed, vscode, neovim, jetbrains, emacs}
}

// Named finds an editor by its name.
func Named(name string) (Editor, bool) {
	editors := Editors()
	i := slices.IndexFunc(editors, func(e Editor) bool { return e.Name == name })
	if i < 0 {
		return Editor{}, false
	}
	return editors[i], true
}

// Names lists the names of the editors.
func Names() []string {
	var names []string
	for _, e := range Editors() {
		names = append(names, e.Name)
	}
	return names
}

// Files lists the files of settings of the editor on a machine: those of each
// installation that is found, else the one that it would read.
func (e Editor) Files(m Machine) []File {
	files := e.files(m)
	found := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !f.Found })
	if len(found) > 0 {
		return found
	}
	return files[:1]
}

// Print is what Put writes into an empty file, for who writes it by hand.
func (e Editor) Print(a Agent) ([]byte, error) { return e.empty.put(nil, a) }
