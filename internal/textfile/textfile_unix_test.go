//go:build unix

package textfile_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textfile"
)

func TestAPipeDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := textfile.Read([]string{dir}, path, 100)
	require.ErrorIs(t, err, textfile.ErrKind)
}
