package child_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/transport/child"
)

func TestAChildCanSayMuchBeforeItWaitsForAReader(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said")
	c := start(t, child.Spec{Env: append(os.Environ(), "SAID="+said)}, `head -c 200000 /dev/zero; : >"$SAID"`)
	require.Eventually(t, func() bool {
		_, err := os.Stat(said)
		return err == nil
	}, 30*time.Second, time.Millisecond)
	require.Len(t, readAll(t, c), 200_000)
}
