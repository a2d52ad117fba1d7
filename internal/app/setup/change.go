package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// backupSuffix is the suffix of a backup's file name. Further backups also get a number.
const backupSuffix = ".before-turnwire"

// A Change is new content for a file, not yet written.
type Change struct {
	File          File
	Before, After []byte // nil if the file doesn't exist

	ours bool // Before was written by us, and needs no backup
	undo bool // After is the content from before Put
}

// Undoes reports whether the change restores the content from before an agent was added.
func (c Change) Undoes() bool { return c.undo && c.After != nil }

// None reports whether there is nothing to change.
func (c Change) None() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

// Apply makes the change. It returns the path of the backup, or "" if none was needed. If
// the file changed since the change was computed, Apply writes nothing and returns an
// error.
func (c Change) Apply() (backup string, err error) {
	if c.None() {
		return "", nil
	}
	now, err := c.File.read()
	if err != nil {
		return "", err
	}
	if !(Change{Before: c.Before, After: now}).None() {
		return "", fmt.Errorf("%s changed in the meantime, so nothing was done: try again", c.File.Path)
	}
	path := c.File.Path
	if c.Before != nil {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return "", err
		}
		if err := writable(path); err != nil {
			return "", err
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	if c.Before != nil && !c.ours && !c.undo && c.After != nil {
		if backup, err = c.backUp(path); err != nil {
			return "", fmt.Errorf("no backup could be made, so nothing was changed: %w", err)
		}
	}
	if c.After == nil {
		return "", c.remove(path)
	}
	if err := atomicfile.Write(path, c.After); err != nil {
		return "", err
	}
	if c.undo {
		return "", c.forget()
	}
	return backup, nil
}

// remove removes the file and a symbolic link to it.
func (c Change) remove(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	if err := os.Remove(c.File.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forget removes a backup that has the same content as the file.
func (c Change) forget() error {
	for _, name := range backups(c.File.Path) {
		if old, err := atomicfile.Read(name, maxFile); err == nil && bytes.Equal(old, c.After) {
			return os.Remove(name)
		}
	}
	return nil
}

// writable returns an error if a file is read-only. Replacing it would be possible, but
// it was made read-only for a reason.
func writable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only and was not changed. If another program generates it, add the output of --print there", path)
	}
	return nil
}

// maxBackups limits the search for a free name.
const maxBackups = 1000

// backUp writes the old content to a backup next to the file, unless an identical backup
// exists.
func (c Change) backUp(path string) (string, error) {
	for n := 1; n <= maxBackups; n++ {
		name := backupName(c.File.Path, n)
		old, err := atomicfile.Read(name, maxFile)
		if err == nil && bytes.Equal(old, c.Before) {
			return name, nil
		}
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(c.Before)
		if err = errors.Join(err, atomicfile.TakeAfter(path, name), file.Close()); err != nil {
			return "", errors.Join(err, os.Remove(name))
		}
		return name, nil
	}
	return "", fmt.Errorf("%s already has %d backups", path, maxBackups)
}

func backupName(path string, n int) string {
	if n == 1 {
		return path + backupSuffix
	}
	return path + backupSuffix + "." + strconv.Itoa(n)
}

// backups returns the backups of a file, oldest first.
func backups(path string) []string {
	var names []string
	for n := 1; exists(backupName(path, n)); n++ {
		names = append(names, backupName(path, n))
	}
	return names
}
