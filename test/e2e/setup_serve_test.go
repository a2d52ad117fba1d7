//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAServerIsSetUpAsAServiceWhenTheUserAgrees(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	unit := filepath.Join(config, "systemd", "user", "turnwire.service")
	set := func(code int, args ...string) string {
		t.Helper()
		cmd := exec.Command(binary, append([]string{"setup", "serve", "--command", binary}, args...)...)
		cmd.Env = append(environment(newMark()), "XDG_CONFIG_HOME="+config)
		out, _ := cmd.CombinedOutput()
		require.Equal(t, code, cmd.ProcessState.ExitCode(), "%s", out)
		return string(out)
	}

	require.Contains(t, set(0, "--print"), "\nExecStart="+binary+" serve\n")
	require.Contains(t, set(1), "nothing was written")
	require.NoFileExists(t, unit)

	set(0, "--yes")
	text, err := os.ReadFile(unit)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nExecStart="+binary+" serve\n")
	require.Contains(t, set(0), "is already up to date")

	require.Contains(t, set(0, "--remove"), "systemctl --user disable --now turnwire")
	require.NoFileExists(t, unit)
	set(0, "--remove")
}
