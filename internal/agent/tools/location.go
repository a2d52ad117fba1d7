package tools

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	errOutside  = errors.New("is outside the workspace")
	errMissing  = errors.New("does not exist")
	errDangling = errors.New("is a symbolic link to something that does not exist")
)

// A location is the resolved location of an existing or new file: no part of rel is a
// symbolic link.
type location struct {
	cwd  string // the session's working directory
	dir  string // the session's directory that contains it, as the editor named it
	real string // dir without symbolic links
	rel  string // its path relative to real

	outside    bool  // it is in none of the session's directories; dir and real are a directory above it
	unresolved error // why the path of a location outside can't be resolved
}

// path returns the absolute path by which the editor knows the file. It starts
// with the directory as the editor named it, which may be a symbolic link.
func (p location) path() string { return filepath.Join(p.dir, p.rel) }

// name returns the file's name for messages.
func (p location) name() string {
	if rel, ok := within(p.cwd, p.path()); ok {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(p.path())
}

// cleanDirs drops directories inside other ones, so that a walk through all of
// them sees no file twice. It always keeps the first one, the working
// directory.
func cleanDirs(dirs []string) []string {
	var roots []string
	for i, dir := range dirs {
		dir = filepath.Clean(dir)
		covered := slices.ContainsFunc(roots, func(k string) bool {
			_, in := within(k, dir)
			return in
		})
		if i == 0 || !covered {
			roots = append(roots, dir)
		}
	}
	return roots
}

// within reports whether path is dir or inside it, judging by the names alone.
func within(dir, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, path)
	return rel, err == nil && (rel == "." || filepath.IsLocal(rel))
}

// find resolves a path that the user typed.
func (f *files) find(typed string) (location, error) {
	if typed == "" || strings.ContainsRune(typed, 0) {
		return location{}, fmt.Errorf("%q is not a path", typed)
	}
	path := filepath.Clean(typed)
	if !filepath.IsAbs(path) {
		path = filepath.Join(f.dirs[0], path)
	}
	reals, err := f.realDirs()
	if err != nil {
		return location{}, err
	}
	// Check before resolving, which would reveal what exists outside.
	if !inAny(f.dirs, path) && !inAny(reals, path) {
		if f.confined {
			return location{}, fmt.Errorf("%s %w", typed, errOutside)
		}
		return f.beyond(path), nil
	}
	path, err = resolve(path)
	if err != nil {
		return location{}, fmt.Errorf("%s %w", typed, plain(err))
	}
	for i, real := range reals {
		if rel, ok := within(real, path); ok && real != "" {
			return location{cwd: f.dirs[0], dir: f.dirs[i], real: real, rel: rel}, nil
		}
	}
	if f.confined {
		return location{}, fmt.Errorf("%s leads through a symbolic link to a place that %w", typed, errOutside)
	}
	return f.beyond(path), nil
}

// realDirs resolves the session's directories, each time, because they may be
// replaced. A missing one becomes "". It returns an error if all are missing.
func (f *files) realDirs() ([]string, error) {
	reals := make([]string, len(f.dirs))
	var errs []error
	for i, dir := range f.dirs {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			errs = append(errs, fmt.Errorf("the directory %s %w", dir, plain(err)))
			continue
		}
		reals[i] = real
	}
	if len(errs) == len(reals) {
		return nil, errs[0]
	}
	return reals, nil
}

func inAny(dirs []string, path string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		_, in := within(dir, path)
		return dir != "" && in
	})
}

// resolve follows the symbolic links in path, whose last parts need not exist.
// It rejects a dangling link, because writing through it would create a file
// that the user did not name.
func resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errDangling
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	parent, err = resolve(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// plain rewrites err as the end of a sentence that begins with the path. It
// drops the name of the system call, which does not help users.
func plain(err error) error {
	var inner *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errMissing
	case errors.Is(err, errMissing), errors.Is(err, errDangling), errors.Is(err, errNotDir), errors.Is(err, errMoved):
		return err
	case errors.As(err, &inner):
		err = inner.Err
	}
	return fmt.Errorf("cannot be used: %w", err)
}
