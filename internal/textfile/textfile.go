// Package textfile reads the text files of a workspace, which others may change, replace
// or link elsewhere at any time.
//
// Contract:
//
//   - Only regular files are opened. Opening a device could have effects, and
//     opening a pipe could block.
//   - A file is read only if it is in one of the directories after all symbolic
//     links are followed.
//   - It is an error if a file is too large or isn't text, or if it can't be
//     determined whether the file exists.
package textfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// Errors of [Read].
var (
	ErrOutside  = errors.New("the file is outside of the directories")
	ErrDangling = errors.New("a symbolic link leads nowhere")
	ErrKind     = errors.New("not a regular file")
	ErrTooLarge = errors.New("the file is too large")
	ErrChanging = errors.New("the file changes while it is read")
	ErrNotText  = errors.New("the file is not UTF-8 text")
)

// A File is the text of a file and its modification time. If the file was changed during
// the read, ModTime is the time of that change.
type File struct {
	Text    string
	ModTime time.Time
}

// Read reads the file at an absolute path, of at most limit bytes. It returns nil if the
// file doesn't exist but could be created.
func Read(dirs []string, path string, limit int64) (*File, error) {
	dir, rel, err := locate(dirs, filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the directory: %w", err)
	}
	defer closeQuietly(root)
	// Check the kind before opening the file, because opening a device can have effects.
	// Check again afterwards, because the name may refer to another file by then.
	info, err := root.Lstat(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = check(info, limit)
	}
	if err != nil {
		return nil, err
	}
	f, err := Open(root, rel)
	if err != nil {
		return nil, err
	}
	defer closeQuietly(f)
	if info, err = f.Stat(); err == nil {
		err = check(info, limit)
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, ErrTooLarge
	case int64(len(data)) != info.Size():
		return nil, ErrChanging
	}
	text := string(data)
	if err := Check(text); err != nil {
		return nil, err
	}
	// The text may be newer than the information from before the read.
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	return &File{Text: text, ModTime: info.ModTime()}, nil
}

// Open opens a file or directory of root for reading. It doesn't wait for the other end
// of a named pipe.
func Open(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
}

// Check returns [ErrNotText] unless s is text.
func Check(s string) error {
	if !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
		return ErrNotText
	}
	return nil
}

func check(info fs.FileInfo, limit int64) error {
	switch {
	case !info.Mode().IsRegular():
		return ErrKind
	case info.Size() > limit:
		return ErrTooLarge
	}
	return nil
}

// locate returns the real directory that contains path, and the real path within it.
func locate(dirs []string, path string) (dir, rel string, err error) {
	var reals []string
	inside := false // by name; files outside are not even examined
	for _, d := range dirs {
		real, err := filepath.EvalSymlinks(d)
		if err != nil {
			continue
		}
		reals = append(reals, real)
		inside = inside || within(d, path) || within(real, path)
	}
	if !inside {
		return "", "", ErrOutside
	}
	if path, err = Resolve(path); err != nil {
		return "", "", err
	}
	for _, real := range reals {
		if within(real, path) {
			rel, err := filepath.Rel(real, path)
			return real, rel, err
		}
	}
	return "", "", ErrOutside
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// Resolve follows the symbolic links in path. The last elements need not exist. For a
// dangling link it returns [ErrDangling], because a write through the link would create a
// file that nobody named.
func Resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", ErrDangling
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if parent, err = Resolve(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(path)), nil
}

// closeQuietly closes a file that was only read, so errors don't matter.
func closeQuietly(c io.Closer) { _ = c.Close() }
