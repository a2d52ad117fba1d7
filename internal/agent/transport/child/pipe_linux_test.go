package child_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/test/limits"
)

func TestAChildCanPrintMuchBeforeItBlocks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "said")
	c := start(t, child.Spec{Env: append(os.Environ(), "SAID="+file)}, `head -c 200000 /dev/zero; : >"$SAID"`)
	limits.Eventually(t, func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
	require.Len(t, readAll(t, c), 200_000)
}
