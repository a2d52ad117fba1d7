package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

func TestOnlyWholeRegularFilesAreRead(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	for size, fits := range map[int]bool{0: true, 9: true, 10: true, 11: false} {
		require.NoError(t, os.WriteFile(path, make([]byte, size), 0o600))
		text, err := atomicfile.Read(path, 10)
		if fits {
			require.NoError(t, err)
			require.NotNil(t, text)
			require.Len(t, text, size)
		} else {
			require.ErrorContains(t, err, "longer than 10 bytes")
		}
	}
	_, err := atomicfile.Read(folder, 10)
	require.ErrorContains(t, err, "is no file")
	_, err = atomicfile.Read(filepath.Join(folder, "b"), 10)
	require.ErrorIs(t, err, fs.ErrNotExist)
}
