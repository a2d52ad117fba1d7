package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

const (
	// maxShellOutput bounds the output of a user's command that is shown, in bytes.
	maxShellOutput = 1 << 20
	// shellGrace is how long a cancelled command may take to end before it is killed.
	shellGrace = 500 * time.Millisecond
)

// runInFolder returns a function that runs a user's command line in a folder.
func runInFolder(folder string) func(ctx context.Context, line string) (string, int, error) {
	return func(ctx context.Context, line string) (string, int, error) {
		p, err := child.Start(child.Spec{Args: userShell(line), Dir: folder, MergeStderr: true})
		if err != nil {
			return "", 0, err
		}
		defer p.Close()
		defer context.AfterFunc(ctx, func() {
			grace, stop := context.WithTimeout(context.WithoutCancel(ctx), shellGrace)
			defer stop()
			p.Stop(grace)
		})()
		output, err := io.ReadAll(io.LimitReader(p.Stdout(), maxShellOutput))
		if err == nil {
			_, err = io.Copy(io.Discard, p.Stdout())
		}
		status := p.Wait()
		if err == nil && status.Signal != "" {
			err = errors.New(status.String())
		}
		return string(output), status.Code, err
	}
}

// userShell returns the arguments that run a command line in the user's shell.
func userShell(line string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", line}
	}
	if shell := os.Getenv("SHELL"); shell != "" {
		if _, err := exec.LookPath(shell); err == nil {
			return []string{shell, "-c", line}
		}
	}
	return []string{"sh", "-c", line}
}

// userEditor returns the user's editor, with its arguments.
func userEditor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(os.Getenv(name)); len(words) > 0 {
			return words
		}
	}
	for _, name := range []string{"nano", "vi", "notepad"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}
		}
	}
	return nil
}
