//go:build unix

package sim

import (
	"os/signal"
	"syscall"

	"github.com/stretchr/testify/require"
)

// A write beyond the limit must not end the process.
func init() { signal.Ignore(syscall.SIGXFSZ) }

// limitFiles lets no file grow beyond a size, and returns a function that ends the limit. A
// write that goes beyond it writes what fits, and fails.
func (w *World) limitFiles(size uint64) (undo func()) {
	var limit syscall.Rlimit
	require.NoError(w.t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	less := limit
	less.Cur = size
	require.NoError(w.t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &less))
	return func() { require.NoError(w.t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)) }
}
