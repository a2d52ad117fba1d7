//go:build unix

package e2e

import (
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// A terminalUser reads a program's screen and types.
type terminalUser struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal io.ReadWriter
	screen   *vt.Emulator
	pieces   chan []byte
}

func inTerminal(t *testing.T, cmd *exec.Cmd) *terminalUser {
	t.Helper()
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	require.NoError(t, err)
	u := &terminalUser{t: t, cmd: cmd, terminal: terminal, screen: vt.NewEmulator(80, 24), pieces: make(chan []byte)}
	answered := make(chan struct{})
	go func() { // a terminal's answers to queries about itself
		defer close(answered)
		_, _ = io.Copy(terminal, u.screen)
	}()
	go func() {
		defer close(u.pieces)
		for {
			buffer := make([]byte, 4096)
			n, err := terminal.Read(buffer)
			if n > 0 {
				u.pieces <- buffer[:n]
			}
			if err != nil { // EOF of a terminal is EIO
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		for range u.pieces {
			continue
		}
		if answers, ok := u.screen.InputPipe().(io.Closer); ok { // closing the screen itself races with Read
			_ = answers.Close()
		}
		<-answered
		_ = terminal.Close()
	})
	return u
}

// sees waits until a text is on the screen.
func (u *terminalUser) sees(text string) {
	u.t.Helper()
	u.seesTimes(1, text)
}

// seesTimes waits until a text is on the screen that many times.
func (u *terminalUser) seesTimes(times int, text string) {
	u.t.Helper()
	for limit := time.After(patience); strings.Count(ansi.Strip(u.screen.Render()), text) < times; {
		select {
		case piece, ok := <-u.pieces:
			require.True(u.t, ok, "%q is not there:\n%s", text, u.screen.String())
			_, _ = u.screen.Write(piece)
		case <-limit:
			require.FailNow(u.t, "not there", "%q:\n%s", text, u.screen.String())
		}
	}
}

func (u *terminalUser) types(keys string) {
	u.t.Helper()
	_, err := io.WriteString(u.terminal, keys)
	require.NoError(u.t, err)
}

// ends waits for the program to exit, and returns its exit code.
func (u *terminalUser) ends() int {
	u.t.Helper()
	for piece := range u.pieces {
		_, _ = u.screen.Write(piece)
	}
	var exit *exec.ExitError
	if err := u.cmd.Wait(); !errors.As(err, &exit) {
		require.NoError(u.t, err)
	}
	return u.cmd.ProcessState.ExitCode()
}

func TestAConversationInATerminal(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	cmd := p.command("chat")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	cmd.Dir = p.work
	u := inTerminal(t, cmd)
	u.sees("Enter sends")
	u.types("/say the answer\r")
	u.sees("the answer")
	u.sees("All done: 1 step.")
	u.types("/append notes.txt milk\r")
	u.sees("[y]es")
	u.types("y")
	u.sees("yes, once")
	u.seesTimes(2, "done in")
	u.types("\x12") // opens the other sessions
	u.sees("› New session")
	u.sees("/say the answer ✓")
	u.types("\r")
	u.sees("  Turnwire Workspace") // empty and ready
	u.types("\x12")
	u.sees("just now")
	u.types("answer\r")
	u.sees("> /append notes.txt milk")
	u.sees("Turnwire Workspace · Ask")
	u.types("/say more\r")
	u.sees("> /say more")
	u.sees("done in")
	u.types("\x03")
	u.sees("press Ctrl-C again")
	u.types("\x03")
	require.True(t, u.screen.IsAltScreen())
	require.Zero(t, u.ends())
	require.False(t, u.screen.IsAltScreen(), "the screen of before is there again")
	require.FileExists(t, filepath.Join(p.work, "notes.txt"))
}

func TestAChatWithoutATerminalSaysWhatToUse(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	out, err := p.command("chat").CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "chat needs a terminal; use turnwire run instead")
}
