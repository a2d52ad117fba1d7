//go:build unix

package atomicfile_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

func TestAReaderSeesTheFileThatItOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, atomicfile.Write(path, []byte("first")))
	before, err := os.Open(path)
	require.NoError(t, err)
	defer before.Close()
	require.NoError(t, atomicfile.Write(path, []byte("second")))
	old, err := io.ReadAll(before)
	require.NoError(t, err)
	require.Equal(t, "first", string(old))
}
