package child

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Spec describes a command to start.
type Spec struct {
	// Args is the command and its arguments. The command is looked up in PATH. If
	// it contains a slash, it is relative to the caller's directory, not to Dir,
	// because that is what the user who typed it meant.
	Args []string
	// Dir is the working directory. If it is empty, the caller's is used.
	Dir string
	// Env is the whole environment. If it is nil, the caller's is used, with PWD
	// set to Dir.
	Env []string
	// Stdin requests a pipe to the child's stdin. Otherwise, stdin is empty.
	Stdin bool
	// MergeStderr sends stderr to the stdout pipe. Otherwise stderr is logged, and
	// its end is kept for [Child.StderrTail].
	MergeStderr bool
	// Log receives the lines of stderr: the first ones of each minute at info
	// level, the others at debug level. It may be nil.
	Log *slog.Logger
}

var errNoCommand = errors.New("no command given")

// resolved returns s with all paths and defaults resolved, and the command's path.
func (s Spec) resolved() (Spec, string, error) {
	if len(s.Args) == 0 || s.Args[0] == "" {
		return s, "", errNoCommand
	}
	path, err := Find(s.Args[0])
	if err != nil {
		return s, "", fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return s, "", fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	if s.Dir, err = filepath.Abs(s.Dir); err != nil {
		return s, "", fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	if err := isDirectory(s.Dir); err != nil {
		return s, "", fmt.Errorf("start %s: %w", s.Args[0], err)
	}
	if s.Env == nil {
		s.Env = append(os.Environ(), "PWD="+s.Dir)
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	return s, path, nil
}

// ErrNotAFile reports that a command is a device, a named pipe or a socket. The
// kernel reports a permission error for those.
var ErrNotAFile = errors.New("is not a file")

// Find looks up a command in PATH, as a shell does. It returns the errors of
// [exec.LookPath], or [ErrNotAFile].
func Find(command string) (path string, err error) {
	if path, err = exec.LookPath(command); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "exec", Path: path, Err: ErrNotAFile}
	}
	return path, err
}

// isDirectory checks dir before the start, because the kernel reports the same
// error for a missing directory as for a missing command.
func isDirectory(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "chdir", Path: dir, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return fmt.Errorf("working directory: %w", err)
	}
	return nil
}
