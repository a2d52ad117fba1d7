//go:build unix

package terminal

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"
)

// inTerminal runs the client as a process in its own terminal. The process uses the inner
// end. The outer end shows what a user sees, and receives what a user types.
func inTerminal(t *testing.T, script string, env ...string) (outer, inner *os.File, before *term.State, cmd *exec.Cmd, seen *watched) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o600))
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append([]string{scriptVariable + "=" + path, "TERM=xterm", "NO_COLOR="}, env...)...)
	outer, inner, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(outer, &pty.Winsize{Rows: 30, Cols: 60}))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = inner, inner, inner
	before, err = term.GetState(int(inner.Fd())) // the command may change it as soon as it runs
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	seen = newWatched()
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(seen, outer)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = inner.Close()
		<-copied // the last holder of the inner end has exited, which ends the copy
		_ = outer.Close()
	})
	return outer, inner, before, cmd, seen
}

func exitOf(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Wait()
	if _, exited := errors.AsType[*exec.ExitError](err); !exited {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode()
}

func TestRunInATerminal(t *testing.T) {
	const question = `{"sessionId":"s1","mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"answer":{"type":"string","enum":["Red","Green"]}},"required":["answer"]}}`
	for name, c := range map[string]struct {
		script string
		env    string
		steps  [][2]string // the text to wait for, and the keys to press then
		code   int
		want   string
	}{
		"a turn with keys": {
			script: "permission " + asking + "\nquestion " + question + "\nstop end_turn",
			steps:  [][2]string{{"[y]", "y"}, {"Which?", ""}, {"1–2", "2"}},
			want:   "\x1b[32mGreen",
		},
		"without colours": {
			script: "permission " + asking + "\nstop end_turn", env: "NO_COLOR=1",
			steps: [][2]string{{"[n]o", "n"}},
			want:  "→ no",
		},
		"a dumb terminal": {
			script: "permission " + asking + "\nstop end_turn", env: "TERM=dumb",
			steps: [][2]string{{"[n]o", "n\n"}},
			want:  "→ no",
		},
		"Ctrl-C": {
			script: running + "\ncancel\nstop cancelled",
			steps:  [][2]string{{"Working", "\x03"}},
			code:   ExitCancelled, want: "cancelled",
		},
		"Ctrl-C twice": {
			script: running + "\ncancel\nhang",
			steps:  [][2]string{{"Working", "\x03"}, {"cancelling", "\x03"}},
			code:   ExitCancelled, want: "cancelled",
		},
		"an error": {
			script: running + "\n" + `fail {"code":-32603,"message":"broken"}`,
			code:   ExitError, want: "error: broken",
		},
	} {
		t.Run(name, func(t *testing.T) {
			outer, inner, before, cmd, seen := inTerminal(t, c.script, c.env)
			for _, step := range c.steps {
				seen.await(t, step[0])
				_, err := outer.WriteString(step[1])
				require.NoError(t, err)
			}
			require.Equal(t, c.code, exitOf(t, cmd))
			seen.await(t, c.want)
			after, err := term.GetState(int(inner.Fd()))
			require.NoError(t, err)
			require.Equal(t, before, after, "the terminal is as it was")
			if c.env == "TERM=dumb" {
				require.NotContains(t, seen.String(), "\x1b")
			}
			if c.env == "NO_COLOR=1" {
				require.NotRegexp(t, `\x1b\[[0-9;]*m`, seen.String())
			}
		})
	}
}
