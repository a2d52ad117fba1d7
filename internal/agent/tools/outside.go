package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

var errMoved = errors.New("leads to another location now")

// reach returns the location that a call reads, and starts the call. A location outside the
// session's directories is only read if the user allows it. Until then, the agent learns
// nothing about it, not even whether it exists.
func (c *call) reach(typed string, line int) (location, error) {
	p, err := c.box.files.find(typed)
	if err != nil {
		c.start()
		return location{}, err
	}
	c.view.Locations = []agent.Location{{Path: p.path(), Line: line}}
	if p.outside {
		c.ready()
		if err := c.requestConsent(p.path(), "This reads "+p.outsideName()+".", "reading "+quoted(p.outsideName(), "this path")); err != nil {
			return location{}, err
		}
	}
	c.start()
	return p, p.unresolved
}

// beyond returns the location of a path outside the session's directories. If the path can't
// be resolved, the location says why.
func (f *files) beyond(path string) location {
	real, err := resolve(path)
	p := location{cwd: f.dirs[0], outside: true}
	if err != nil {
		real, p.unresolved = path, fmt.Errorf("%s %w", filepath.ToSlash(path), plain(err))
	}
	p.real = filepath.Dir(real)
	for parent := filepath.Dir(p.real); parent != p.real; parent = filepath.Dir(p.real) {
		if _, err := os.Lstat(p.real); err == nil {
			break
		}
		p.real = parent // a missing directory
	}
	p.dir = p.real
	if rel, ok := within(p.real, real); ok {
		p.rel = rel
	}
	return p
}

// outsideName returns the location's name for a permission request.
func (p location) outsideName() string { return p.name() + ", which is outside the session's folders" }

// openReal opens a directory by a path without symbolic links. It returns an error if one
// has appeared in the path, because the user has allowed the path as it was.
func openReal(dir string) (*os.Root, error) {
	volume := filepath.VolumeName(dir) + string(filepath.Separator)
	root, err := os.OpenRoot(volume)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(dir, volume), string(filepath.Separator)) {
		if name == "" {
			continue
		}
		below, err := openDir(root, name)
		closeQuietly(root)
		if err != nil {
			return nil, err
		}
		root = below
	}
	return root, nil
}

// openDir opens a directory in another one, unless it is a symbolic link.
func openDir(in *os.Root, name string) (*os.Root, error) {
	named, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	root, err := in.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(named, opened) {
		closeQuietly(root)
		return nil, errors.Join(errMoved, err)
	}
	return root, nil
}
