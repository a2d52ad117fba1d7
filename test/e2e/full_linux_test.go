package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFullDiskIsReportedOnce(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"version", "schema acp-v1", "agents", "events", "events --to v1", "run /help", "run --json /help"} {
		t.Run(line, func(t *testing.T) {
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			require.NoError(t, err)
			defer full.Close()
			cmd := exec.CommandContext(t.Context(), binary, strings.Fields(line)...)
			cmd.Dir = t.TempDir()
			cmd.Env = environment(newMark())
			cmd.Stdin = strings.NewReader(`{"type":"text_delta","text":"lost"}` + "\n")
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &stderr
			var failed *exec.ExitError
			require.ErrorAs(t, cmd.Run(), &failed)
			require.Equal(t, 1, failed.ExitCode())
			require.Equal(t, "turnwire: write /dev/stdout: no space left on device\n", stderr.String())
		})
	}
}
