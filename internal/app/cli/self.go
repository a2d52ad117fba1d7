package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program returns the absolute path of the program that the editor launches.
func (o *setupOptions) program() (string, error) {
	if o.command == "" {
		return self()
	}
	path, err := exec.LookPath(o.command)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", fmt.Errorf("--command: %w", err)
	}
	return path, nil
}

// self returns the path of this program. If PATH leads to this program, self returns the
// path found there, because a package manager's link outlives its target.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot find this program's path (name it with --command): %w", err)
	}
	if found, err := exec.LookPath("turnwire"); err == nil && sameFile(found, path) {
		if absolute, err := filepath.Abs(found); err == nil {
			return absolute, nil
		}
	}
	return path, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// isTemporary reports whether a program is in a folder that "go run" uses, or in another
// temporary folder.
func isTemporary(path string) bool {
	temporary := os.TempDir()
	if real, err := filepath.EvalSymlinks(temporary); err == nil && strings.HasPrefix(path, real+string(filepath.Separator)) {
		return true
	}
	path = filepath.ToSlash(path)
	return strings.HasPrefix(path, filepath.ToSlash(temporary)+"/") ||
		strings.Contains(path, "/go-build") && strings.Contains(path, "/exe/")
}
