package tools

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of a walk through the workspace.
const (
	maxWalk  = 50_000 // number of entries
	maxDepth = 64     // nesting depth of directories
)

// skippedDirs are directories whose contents are not written by users.
var skippedDirs = []string{".git", ".hg", ".svn", "node_modules"}

// SkippedDirs returns the names of the directories that no tool looks into.
func SkippedDirs() []string { return slices.Clone(skippedDirs) }

// A walker visits all directories of the session.
type walker struct {
	ctx   context.Context
	left  int // number of entries that may still be visited
	cut   bool
	visit func(location, fs.DirEntry) error
}

// walk calls visit for each file and directory in the workspace, ordered by
// name. It does not follow symbolic links, and skips unreadable directories. It
// reports whether it has visited everything, and stops at the first error from
// visit.
func (f *files) walk(ctx context.Context, visit func(location, fs.DirEntry) error) (all bool, err error) {
	reals, err := f.realDirs()
	if err != nil {
		return false, err
	}
	w := &walker{ctx: ctx, left: maxWalk, visit: visit}
	for i, real := range reals {
		if real == "" {
			continue
		}
		if err := w.dir(location{cwd: f.dirs[0], dir: f.dirs[i], real: real, rel: "."}, 0); err != nil {
			return false, err
		}
	}
	return !w.cut, nil
}

func (w *walker) dir(p location, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		w.cut = true
		return nil
	}
	entries, all, err := p.readDir(w.left)
	if err != nil {
		return nil //nolint:nilerr // unreadable directories are skipped
	}
	w.left -= len(entries)
	w.cut = w.cut || !all
	for _, e := range entries {
		below := p
		below.rel = filepath.Join(p.rel, e.Name())
		if e.IsDir() && slices.Contains(skippedDirs, e.Name()) {
			continue
		}
		if err := w.visit(below, e); err != nil {
			return err
		}
		if e.IsDir() {
			if err := w.dir(below, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// readDir returns up to limit entries of the directory at p, sorted by name,
// and reports whether these are all entries.
func (p location) readDir(limit int) (entries []fs.DirEntry, all bool, err error) {
	root, err := p.root()
	if err != nil {
		return nil, false, err
	}
	defer closeQuietly(root)
	dir, err := root.OpenFile(p.rel, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, false, p.explain(err)
	}
	defer closeQuietly(dir)
	if info, err := dir.Stat(); err == nil && !info.IsDir() {
		return nil, false, p.explain(errNotDir)
	}
	// Read one more than limit to see whether there are more.
	entries, err = dir.ReadDir(limit + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, p.explain(err)
	}
	all = len(entries) <= limit
	entries = entries[:min(len(entries), limit)]
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, all, nil
}
