//go:build external

package conformance

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limit is generous: it only ends a test that hangs, so that its output can be
// seen.
const limit = 8 * time.Minute

func TestOfficialClientAgainstTheBuiltBinary(t *testing.T) {
	node, err := exec.LookPath("node")
	require.NoError(t, err, "node is needed: the official client is a TypeScript package")
	require.DirExists(t, "node_modules", "its packages are not installed: run make test-all, or npm ci in this folder")

	binary := build(t)
	suites, err := filepath.Glob("*.test.mjs")
	require.NoError(t, err)
	for _, suite := range suites {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, "--test-reporter=spec", suite)
			cmd.Env = append(os.Environ(), "TURNWIRE_BINARY="+binary, "XDG_CACHE_HOME="+t.TempDir(), "XDG_STATE_HOME="+t.TempDir())
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

// build builds the binary as a user would.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "turnwire")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "github.com/turnwire/turnwire")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}
