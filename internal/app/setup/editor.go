package setup

import "slices"

// An Editor is a program in which agents appear.
type Editor struct {
	Name  string // on the command line
	Title string // as users know it
	// Start explains how to open an agent in the editor, with %s for the agent's name.
	Start string
	files func(m Machine) []File
	empty format // the format of an empty file
}

// Editors returns the editors in the order in which help shows them.
func Editors() []Editor {
	return []Editor{zed, vscode, neovim, jetbrains, emacs}
}

// Named returns the editor with the given name.
func Named(name string) (Editor, bool) {
	editors := Editors()
	i := slices.IndexFunc(editors, func(e Editor) bool { return e.Name == name })
	if i < 0 {
		return Editor{}, false
	}
	return editors[i], true
}

// Names returns the names of the editors.
func Names() []string {
	var names []string
	for _, e := range Editors() {
		names = append(names, e.Name)
	}
	return names
}

// Files returns the editor's settings files on a machine: those of each installation
// found, or else the default file.
func (e Editor) Files(m Machine) []File {
	files := e.files(m)
	found := slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !f.Found })
	if len(found) > 0 {
		return found
	}
	return files[:1]
}

// Print returns the content that Put writes into an empty file, for users who edit the
// file themselves.
func (e Editor) Print(a Agent) ([]byte, error) { return e.empty.add(nil, a) }
