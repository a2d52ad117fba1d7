package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// maxFile bounds a settings file, in bytes.
const maxFile = 4 << 20

// A File is a settings file of an editor.
type File struct {
	Title string // of the program that reads it, such as VS Code Insiders
	Path  string
	Found bool // the program or its folder exists
	Notes []Note
	// Version is that of the program, where its own chat can show agents (see
	// [File.Host]); "" where it is not known.
	Version string
	format  format
	hosts   bool // its own chat is set up in this file
}

// A Note is something that the user should know about a program, and what to do
// about it.
type Note struct{ What, Do string }

// A format says how agents are written in a file. The text is nil if there is
// no file.
type format interface {
	// put returns text with the agent added. It replaces one of the same name.
	put(text []byte, a Agent) ([]byte, error)
	// drop returns text without the agent of that name.
	drop(text []byte, name string) ([]byte, error)
	// agents returns the agents in text.
	agents(text []byte) ([]Agent, error)
}

// An owner is a format whose files hold nothing but our own text.
type owner interface {
	// isOurs reports whether we have written the text.
	isOurs(text []byte) bool
}

// Agents returns the agents in the file as it is now.
func (f File) Agents() ([]Agent, error) {
	text, err := f.read()
	if text == nil || err != nil {
		return nil, err
	}
	agents, err := f.format.agents(text)
	return agents, f.explain(err)
}

// Put computes the change that adds an agent.
func (f File) Put(a Agent) (Change, error) {
	if err := a.Check(); err != nil {
		return Change{}, err
	}
	text, err := f.read()
	if err != nil {
		return Change{}, err
	}
	with, err := f.format.put(text, a)
	if err != nil {
		return Change{}, f.explain(err)
	}
	// Other programs read what we write: check it before anything is changed.
	if there, err := f.format.agents(with); err != nil || !slices.ContainsFunc(there, a.equal) {
		return Change{}, fmt.Errorf("%s: the agent could not be added; nothing was changed", f.Path)
	}
	return f.change(text, with), nil
}

// Drop computes the change that removes the agent of a name.
func (f File) Drop(name string) (Change, error) {
	text, err := f.read()
	if text == nil || err != nil {
		return Change{File: f}, err
	}
	there, err := f.format.agents(text)
	if err != nil {
		return Change{}, f.explain(err)
	}
	i := slices.IndexFunc(there, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return f.change(text, text), nil
	}
	if before, ok := f.original(text, f.without(there[i])); ok {
		c := f.change(text, before)
		c.undo = true
		return c, nil
	}
	without, err := f.format.drop(text, name)
	if err != nil {
		return Change{}, f.explain(err)
	}
	return f.change(text, without), nil
}

// An undo adds again what is to be removed: to the text of a file, unless that has
// something of the same name already.
type undo func(text []byte) (with []byte, ok bool)

// without is how an agent is added again.
func (f File) without(a Agent) undo {
	return func(old []byte) ([]byte, bool) {
		there, err := f.format.agents(old)
		if err != nil || slices.ContainsFunc(there, func(b Agent) bool { return b.Name == a.Name }) {
			return nil, false
		}
		with, err := f.format.put(old, a)
		return with, err == nil
	}
}

// original finds the content before something was added: no file, or the content
// of a backup. It need not be recorded anywhere: adding the same to it again gives
// text.
func (f File) original(text []byte, again undo) ([]byte, bool) {
	var candidates [][]byte
	for _, path := range slices.Backward(backups(f.Path)) {
		if old, err := atomicfile.Read(path, maxFile); err == nil {
			candidates = append(candidates, old)
		}
	}
	candidates = append(candidates, nil)
	for _, old := range candidates {
		if with, ok := again(old); ok && bytes.Equal(with, text) {
			return old, true
		}
	}
	return nil, false
}

func (f File) change(before, after []byte) Change {
	ours := false
	if o, ok := f.format.(owner); ok {
		ours = o.isOurs(before)
	}
	return Change{File: f, Before: before, After: after, ours: ours}
}

// explain names the file that an error is about.
func (f File) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.Path, err)
}

// read returns the text of the file, or nil if there is none.
func (f File) read() ([]byte, error) {
	text, err := atomicfile.Read(f.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(f.Path); linkErr == nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist", f.Path)
		}
		return nil, nil
	}
	return text, err
}

func (a Agent) equal(b Agent) bool {
	return a.Name == b.Name && a.Command == b.Command && slices.Equal(a.Args, b.Args)
}
