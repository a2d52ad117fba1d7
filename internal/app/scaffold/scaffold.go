package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/examples"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/suggest"
	"github.com/turnwire/turnwire/sdk"
)

//go:embed all:templates
var templates embed.FS

// A Language is a programming language for new agents.
type Language struct {
	Name  string // on the command line
	Title string
	Main  string // the file to start with
	// Build are the commands to run in the folder before the agent runs; empty for a
	// script.
	Build []string
	Check string // the command that checks the agent

	program  []string          // runs the agent; its last argument is a file in the folder
	emitters map[string]string // files and folders of package sdk, by their place in the new agent
	model    bool              // the agent talks to a model
}

// Languages returns the languages.
func Languages() []Language {
	return []Language{
		{
			Name: "python", Title: "Python 3.9 or later", Main: "agent.py", Check: "make check",
			program: []string{"python3", "agent.py"}, emitters: map[string]string{"turnwire": "python/src/turnwire"},
		},
		{
			Name: "typescript", Title: "TypeScript, for Node.js 20 or later", Main: "agent.ts", Check: "npm run check",
			Build:   []string{"npm install", "npm run build"},
			program: []string{"node", "dist/agent.js"}, emitters: map[string]string{"turnwire": "typescript/src"},
		},
		{
			Name: "go", Title: "Go 1.21 or later", Main: "main.go", Check: "make check",
			Build: []string{"make build"}, program: []string{"{{package}}"},
		},
		{
			Name: "shell", Title: "a POSIX shell", Main: "agent.sh", Check: "make check",
			program: []string{"sh", "agent.sh"},
		},
		{
			Name: "rust", Title: "Rust 1.85 or later", Main: "src/main.rs", Check: "make check",
			Build: []string{"make build"}, program: []string{"target/release/{{package}}"},
			emitters: map[string]string{"turnwire/src": "rust/src", "turnwire/Cargo.toml": "rust/Cargo.toml", "turnwire/README.md": "rust/README.md"},
		},
	}
}

// WithModel returns the language, with a template that talks to a model.
func (l Language) WithModel() (Language, error) {
	if l.Name != "python" {
		return Language{}, errors.New("only python has a template with a model")
	}
	l.model = true
	return l, nil
}

// modelAgent returns the program of an agent with a model.
func modelAgent() string {
	var b strings.Builder
	for line := range strings.Lines(examples.Ollama) {
		if !strings.HasPrefix(line, "sys.path.append(") { // a new agent has a copy of the library
			b.WriteString(line)
		}
	}
	return strings.NewReplacer(`Agent("Ollama"`, `Agent("{{name}}"`, "json, os, socket, sys, urllib", "json, os, socket, urllib").Replace(b.String())
}

// Names returns the names of the languages.
func Names() []string {
	var names []string
	for _, l := range Languages() {
		names = append(names, l.Name)
	}
	return names
}

// Named returns the language called name. Its error lists the existing ones.
func Named(name string) (Language, error) {
	for _, l := range Languages() {
		if l.Name == name {
			return l, nil
		}
	}
	return Language{}, fmt.Errorf("unknown language %q%s (available: %s)", name, suggest.Hint(name, Names()), strings.Join(Names(), ", "))
}

// An Agent is a new agent that was written.
type Agent struct {
	Language Language
	Name     string
	Folder   string   // absolute
	Files    []string // relative to the folder, in the order of writing
}

// Command returns the command that runs the agent, with absolute paths.
func (a Agent) Command() []string {
	program := append([]string(nil), a.Language.program...)
	last := len(program) - 1
	program[last] = filepath.Join(a.Folder, filepath.FromSlash(fill(program[last], a.Name)))
	return program
}

// usable matches names that are valid in all languages.
var usable = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`)

// Write writes a new agent into folder. The last element of the path is the agent's name.
func Write(l Language, folder string) (a Agent, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return Agent{}, err
	}
	a = Agent{Language: l, Name: filepath.Base(folder), Folder: folder}
	if !usable().MatchString(a.Name) {
		return Agent{}, fmt.Errorf("%q is not a valid agent name: use letters, digits, - and _, and start with a letter", a.Name)
	}
	files, err := a.contents()
	if err != nil {
		return Agent{}, err
	}
	made, err := makeEmpty(folder)
	if err != nil {
		return Agent{}, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, a.remove(made))
		}
	}()
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return a, err
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(f.text, "#!") {
			mode = 0o755
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return a, err
		}
		a.Files = append(a.Files, f.name)
		_, err = file.WriteString(f.text)
		if err := errors.Join(err, file.Close()); err != nil {
			return a, err
		}
	}
	return a, nil
}

// makeEmpty creates the folder if it doesn't exist. It returns an error if the folder
// isn't empty. made reports whether it created the folder.
func makeEmpty(folder string) (made bool, err error) {
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return false, fmt.Errorf("%s exists and is not a folder: nothing was written", folder)
	}
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, os.MkdirAll(folder, 0o755)
	case err != nil:
		return false, err
	case len(entries) > 0:
		return false, fmt.Errorf("%s is not empty (it contains %s): nothing was written", folder, entries[0].Name())
	}
	return false, nil
}

// remove deletes the written files, and the folder if made is set.
func (a Agent) remove(made bool) error {
	if made {
		return os.RemoveAll(a.Folder)
	}
	var errs []error
	for _, name := range a.Files {
		errs = append(errs, os.Remove(filepath.Join(a.Folder, filepath.FromSlash(name))))
	}
	return errors.Join(errs...)
}

type content struct{ name, text string }

// contents returns the agent's files: those of its template, and the emitter library.
func (a Agent) contents() ([]content, error) {
	var out []content
	add := func(from fs.FS, root, to string, filled bool) error {
		return fs.WalkDir(from, root, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(from, at)
			if err != nil {
				return err
			}
			name := path.Join(to, strings.TrimPrefix(strings.TrimPrefix(at, root), "/"))
			if a.Language.model && name == a.Language.Main {
				text = []byte(modelAgent())
			}
			if filled {
				out = append(out, content{placed(name), fill(string(text), a.Name)})
			} else {
				out = append(out, content{name, string(text)})
			}
			return nil
		})
	}
	if err := add(templates, "templates/"+a.Language.Name, "", true); err != nil {
		return nil, err
	}
	for _, to := range slices.Sorted(maps.Keys(a.Language.emitters)) {
		if err := add(sdk.Files, a.Language.emitters[to], to, false); err != nil {
			return nil, err
		}
	}
	return append(out, content{"README.md", a.readme()}), nil
}

// placed returns the name in a new agent for a template's file. Some names would have an
// effect in the template's folder.
func placed(name string) string {
	if name == "gitignore" {
		return ".gitignore"
	}
	return strings.TrimSuffix(name, ".txt")
}

// fill inserts the agent's name into a text, both unchanged and as a package name.
func fill(text, name string) string {
	return strings.NewReplacer("{{name}}", name, "{{package}}", strings.ToLower(name)).Replace(text)
}
