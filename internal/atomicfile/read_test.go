package atomicfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	require.ErrorContains(t, err, "is not a regular file")
	_, err = atomicfile.Read(filepath.Join(folder, "b"), 10)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestAFileIsReplacedWholeAndKeepsItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, atomicfile.Write(path, []byte("first")))
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, atomicfile.Write(path, []byte("second, and longer")))
	text, err := atomicfile.Read(path, 100)
	require.NoError(t, err)
	require.Equal(t, "second, and longer", string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" { // which has no such modes
		require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	}
	list, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, list, 1, "nothing is left beside it")
	require.Error(t, atomicfile.Write(filepath.Join(path, "b"), nil))
}
