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

// FileName is the name of the configuration file, both in the user's folder and in a
// project.
const FileName = "turnwire.json"

// maxFile is the largest accepted file, in bytes. Files written by hand are smaller.
const maxFile = 256 << 10

// Places says where to look for configuration files.
type Places struct {
	Own     string // the user's file; "" if none
	Must    bool   // fail if Own doesn't exist
	Project string // the project's file; "" if none
}

// Find returns the files to use for work in dir. If the user named a file (named), it is
// the only one.
func Find(named, dir string) Places {
	if named != "" {
		return Places{Own: named, Must: true}
	}
	p := Places{Project: filepath.Join(dir, FileName)}
	base := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		var err error
		if base, err = os.UserConfigDir(); err != nil {
			return p // no home directory
		}
	}
	p.Own = filepath.Join(base, "turnwire", FileName)
	return p
}

// Load reads the files and returns their agents. It is an error if a project's agent has
// the name of a built-in agent or of one in the user's own file.
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
			return nil, a.errorf("a project cannot redefine the built-in agent %s; choose another name", name)
		}
		if o, taken := own[name]; taken {
			return nil, a.errorf("a project cannot redefine the agent %s of %s; choose another name", name, o.file)
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

// readFile reads a file. It returns nil if path is empty.
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
