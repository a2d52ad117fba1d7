//go:build unix

package journal_test

import (
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// limitFileSize allows a file to grow by only so many bytes, until the returned
// function is called.
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

// If the disk is full, nothing is appended after the failure, and earlier records can
// still be read.
func TestAFailedWriteLeavesWholeRecords(t *testing.T) {
	f := journal.NewFolder(t.TempDir())
	j, err := f.Create(journal.Header{ID: "a", Cwd: "/"})
	require.NoError(t, err)
	add(t, j, 2)
	undo := limitFileSize(t, file(t, f), 10)
	err = j.Append(3, []journal.Record{{Type: "n", Data: []byte(`{"n":3}`)}})
	require.Error(t, err)
	undo()
	require.Equal(t, err, j.Append(3, []journal.Record{{Type: "n", Data: []byte(`{"n":3}`)}}))
	require.NoError(t, j.Close())
	require.Len(t, all(t, f), 2)
}
