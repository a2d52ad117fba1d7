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

// Spec says what to start.
type Spec struct {
	// Args is the command and its arguments. The command is looked up in
	// PATH; one that holds a slash is relative to the caller's directory, as
	// the user who typed it meant it, and not to Dir.
	Args []string
	// Dir is the working directory; empty means the caller's.
	Dir string
	// Env is the whole environment; nil means that of the caller, with PWD
	// set to Dir.
	Env []string
	// Stdin asks for a pipe to the child's stdin, which is empty otherwise.
	Stdin bool
	// MergeStderr sends stderr into the stdout pipe. Otherwise it is drained,
	// logged, and its end is kept for [Child.StderrTail].
	MergeStderr bool
	// Log receives the lines of stderr: the first ones of each minute at the level
	// info, and the others at debug. It may be nil.
	Log *slog.Logger
}

var errNoCommand = errors.New("no command given")

// resolved is s with nothing left to look up.
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

// ErrNotAFile says that a command names a device, a named pipe or a socket. The
// kernel calls that a missing permission.
var ErrNotAFile = errors.New("is not a file")

// Find looks a command up in PATH, as a shell does. Errors are those of
// [exec.LookPath], and [ErrNotAFile].
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

// isDirectory is asked before the start because the kernel says the same of a
// missing directory as of a missing command.
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
