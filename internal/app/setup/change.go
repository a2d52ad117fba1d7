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

// backupSuffix ends the name of a backup; further ones have a number behind.
const backupSuffix = ".before-turnwire"

// A Change is what would become of a file. It has not happened yet.
type Change struct {
	File          File
	Before, After []byte // nil where there is no file

	ours bool // Before is as we wrote it, and needs no backup
	undo bool // After is what was there before Put
}

// Undoes says that the file becomes what it was before an agent was put in.
func (c Change) Undoes() bool { return c.undo && c.After != nil }

// None says that all is as it should be.
func (c Change) None() bool {
	return (c.Before == nil) == (c.After == nil) && bytes.Equal(c.Before, c.After)
}

// Apply makes the change. It returns the path of the backup, or "" where none
// was needed. A file that is not as it was when the change was worked out is
// left alone.
func (c Change) Apply() (backup string, err error) {
	if c.None() {
		return "", nil
	}
	now, err := c.File.read()
	if err != nil {
		return "", err
	}
	if !(Change{Before: c.Before, After: now}).None() {
		return "", fmt.Errorf("%s has changed meanwhile: nothing was done; try again", c.File.Path)
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

// remove removes the file, and a link to it that would lead nowhere.
func (c Change) remove(path string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	if err := os.Remove(c.File.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forget removes a backup that is the same as the file.
func (c Change) forget() error {
	for _, name := range backups(c.File.Path) {
		if old, err := atomicfile.Read(name, maxFile); err == nil && bytes.Equal(old, c.After) {
			return os.Remove(name)
		}
	}
	return nil
}

// writable is an error where a file is not to be written. A new file could
// take its place all the same; but who made it read-only meant it.
func writable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only: it was not changed. Is it made by another program? Then put there what --print prints", path)
	}
	return nil
}

// maxBackups bounds the search for a name that is free.
const maxBackups = 1000

// backUp keeps the text before the change beside the file, or finds it there.
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
	return "", fmt.Errorf("there are %d backups of %s", maxBackups, path)
}

func backupName(path string, n int) string {
	if n == 1 {
		return path + backupSuffix
	}
	return path + backupSuffix + "." + strconv.Itoa(n)
}

// backups lists the backups of a file, oldest first.
func backups(path string) []string {
	var names []string
	for n := 1; exists(backupName(path, n)); n++ {
		names = append(names, backupName(path, n))
	}
	return names
}
