//go:build unix

package e2e

import (
	"errors"
	"io"
	"os/exec"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// For a terminal login, a client runs the command that it started, with the
// login's arguments appended. The agent then owns the terminal.
func TestAnACPAgentOwnsTheTerminalForItsLogin(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary, "acp", "--agent", "acp", "--", "sh", "-c", `test -t 0 && read -r name && echo "welcome $name, $1"; exit 3`, "agent", "login")
	cmd.Env = environment(newMark())
	screen, err := pty.Start(cmd)
	require.NoError(t, err)
	defer screen.Close()
	_, err = io.WriteString(screen, "Ada\n")
	require.NoError(t, err)
	shown, err := io.ReadAll(screen)
	if !errors.Is(err, syscall.EIO) { // EOF of a terminal on Linux
		require.NoError(t, err)
	}
	require.Contains(t, string(shown), "welcome Ada, login")
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, 3, exit.ExitCode())
}
