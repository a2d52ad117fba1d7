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

// maxFile bounds a file of settings, in bytes.
const maxFile = 4 << 20

// A File holds settings of an editor.
type File struct {
	Title  string // of the program that reads it, such as VS Code Insiders
	Path   string
	Found  bool // the program, or its folder, is there
	Notes  []Note
	format format
}

// A Note is what else is to be known about a program, and to be done.
type Note struct{ What, Do string }

// A format is how agents stand in a file. Text is nil where there is no file.
type format interface {
	// put returns a text with an agent in it, instead of one of the same name.
	put(text []byte, a Agent) ([]byte, error)
	// drop returns a text without the agent of a name.
	drop(text []byte, name string) ([]byte, error)
	// agents lists those that are in a text.
	agents(text []byte) ([]Agent, error)
}

// An owner is a format of files that hold nothing but what is ours.
type owner interface {
	// isOurs says whether a text is as we write it.
	isOurs(text []byte) bool
}

// Agents lists the agents in the file as it is now.
func (f File) Agents() ([]Agent, error) {
	text, err := f.read()
	if text == nil || err != nil {
		return nil, err
	}
	agents, err := f.format.agents(text)
	return agents, f.explain(err)
}

// Put says what the file would be with an agent.
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
	// What we write is read by others: make sure of it while nothing has
	// happened yet.
	if there, err := f.format.agents(with); err != nil || !slices.ContainsFunc(there, a.equal) {
		return Change{}, fmt.Errorf("%s: the agent could not be put in; nothing was changed", f.Path)
	}
	return f.change(text, with), nil
}

// Drop says what the file would be without the agent of a name.
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
	if before, ok := f.original(text, there[i]); ok {
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

// original finds the text that became this one when the agent was put in:
// none at all, or one that is in a backup. There is no need to remember what
// was done, for to do it again tells.
func (f File) original(text []byte, a Agent) ([]byte, bool) {
	var candidates [][]byte
	for _, path := range slices.Backward(backups(f.Path)) {
		if old, err := atomicfile.Read(path, maxFile); err == nil {
			candidates = append(candidates, old)
		}
	}
	candidates = append(candidates, nil)
	for _, old := range candidates {
		there, err := f.format.agents(old)
		if err != nil || slices.ContainsFunc(there, func(b Agent) bool { return b.Name == a.Name }) {
			continue
		}
		if with, err := f.format.put(old, a); err == nil && bytes.Equal(with, text) {
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

// explain says which file an error is about.
func (f File) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.Path, err)
}

// read returns the text of the file, and nil where there is none.
func (f File) read() ([]byte, error) {
	text, err := atomicfile.Read(f.Path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if _, linkErr := os.Lstat(f.Path); linkErr == nil {
			return nil, fmt.Errorf("%s is a link to a file that is not there", f.Path)
		}
		return nil, nil
	}
	return text, err
}

func (a Agent) equal(b Agent) bool {
	return a.Name == b.Name && a.Command == b.Command && slices.Equal(a.Args, b.Args)
}
