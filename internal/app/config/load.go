package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// FileName is the name of the file, in the user's folder and in a project.
const FileName = "turnwire.json"

// maxFile bounds a file, in bytes. A file that is written by hand is smaller.
const maxFile = 256 << 10

// Places says where to look for files.
type Places struct {
	Own     string // the user's file; "" for none
	Must    bool   // Own must be there
	Project string // the project's file; "" for none
}

// Find returns the places of the files for work in dir. named is the file that
// the user has named: then it is the only one.
func Find(named, dir string) Places {
	if named != "" {
		return Places{Own: named, Must: true}
	}
	p := Places{Project: filepath.Join(dir, FileName)}
	base := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		var err error
		if base, err = os.UserConfigDir(); err != nil {
			return p // there is no home directory
		}
	}
	p.Own = filepath.Join(base, "turnwire", FileName)
	return p
}

// Load reads the files and returns their agents. An agent of the project may
// not have the name of a built-in agent or of one of the user's own.
func (p Places) Load(builtIn []string) (map[string]Agent, error) {
	own, err := readAgents(p.Own)
	if err != nil && (p.Must || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	agents := make(map[string]Agent)
	maps.Copy(agents, own)
	if same(p.Own, p.Project) {
		return agents, nil
	}
	file, err := readFile(p.Project)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var project map[string]Agent
	if file != nil {
		if err := file.ownOnly(p.Project); err != nil {
			return nil, err
		}
		project = file.Agents
	}
	for _, name := range slices.Sorted(maps.Keys(project)) {
		a := project[name]
		if slices.Contains(builtIn, name) {
			return nil, a.errorf("a project cannot change the agent %s, which is built in; give this one another name", name)
		}
		if o, taken := own[name]; taken {
			return nil, a.errorf("a project cannot change the agent %s of %s; give this one another name", name, o.file)
		}
		a.project = true
		agents[name] = a
	}
	return agents, nil
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func readAgents(path string) (map[string]Agent, error) {
	f, err := readFile(path)
	if f == nil {
		return nil, err
	}
	return f.Agents, nil
}

// readFile reads a file. It returns nil if there is none to read.
func readFile(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	text, err := atomicfile.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return Parse(path, text)
}
