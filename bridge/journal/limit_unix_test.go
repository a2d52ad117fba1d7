//go:build unix

package journal_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// limitFileSize lets a file grow by so many bytes only, until the function that
// it returns is called.
func limitFileSize(t *testing.T, path string, more int64) (undo func()) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	signal.Ignore(syscall.SIGXFSZ)
	less := limit
	less.Cur = uint64(info.Size() + more)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &less))
	return func() {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
		signal.Reset(syscall.SIGXFSZ)
	}
}
