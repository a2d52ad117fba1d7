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

// maxFile is the largest accepted settings file, in bytes.
const maxFile = 4 << 20

// A File is a settings file of an editor.
type File struct {
	Title string // the program that reads it, such as VS Code Insiders
	Path  string
	Found bool // the program or its folder exists
	Notes []Note
	// Version is the program's version if its built-in chat can show agents (see
	// [File.Host]). It is "" if unknown.
	Version string
	format  format
	hosts   bool // the built-in chat is set up in this file
}

// A Note is something the user should know about a program, and what to do about it.
type Note struct{ What, Do string }

// A format defines how agents are stored in a file. A nil text means that the file
// doesn't exist.
type format interface {
	// add returns text with the agent added. It replaces an agent of the same name.
	add(text []byte, a Agent) ([]byte, error)
	// drop returns text without the named agent.
	drop(text []byte, name string) ([]byte, error)
	// agents returns the agents in text.
	agents(text []byte) ([]Agent, error)
}

// An owner is a format whose files contain only our own text.
type owner interface {
	// isOurs reports whether we wrote the text.
	isOurs(text []byte) bool
}

// Agents returns the agents that are currently in the file.
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
	with, err := f.format.add(text, a)
	if err != nil {
		return Change{}, f.explain(err)
	}
	// Other programs read what we write, so check it before changing anything.
	if there, err := f.format.agents(with); err != nil || !slices.ContainsFunc(there, a.equal) {
		return Change{}, fmt.Errorf("%s: the agent could not be added; nothing was changed", f.Path)
	}
	return f.change(text, with), nil
}

// Drop computes the change that removes the named agent.
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

// An undo adds the removed text to an older text of the file. ok is false if the
// text already contains something of that name.
type undo func(text []byte) (with []byte, ok bool)

// without returns the undo for removing an agent.
func (f File) without(a Agent) undo {
	return func(old []byte) ([]byte, bool) {
		there, err := f.format.agents(old)
		if err != nil || slices.ContainsFunc(there, func(b Agent) bool { return b.Name == a.Name }) {
			return nil, false
		}
		with, err := f.format.add(old, a)
		return with, err == nil
	}
}

// original finds the content from before something was added: a backup, or no file. It
// doesn't need a record of that: adding the same thing to the original again gives text.
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

// explain adds the file name to an error.
func (f File) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.Path, err)
}

// read returns the text of the file, or nil if the file doesn't exist.
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
