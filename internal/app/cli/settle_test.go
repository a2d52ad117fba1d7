package cli

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// answers counts writes.
type answers struct{ n int }

func (a *answers) Write(p []byte) (int, error) {
	a.n++
	return len(p), nil
}

func (*answers) Close() error { return nil }

func TestRuntimeLimitsApplyAfterTheFirstResponse(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	t.Setenv("GOGC", "")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var written answers
	out := &settling{WriteCloser: &written}
	require.Equal(t, 2, runtime.GOMAXPROCS(0))

	n, err := out.Write([]byte("answer"))
	require.NoError(t, err)
	require.Equal(t, 6, n)
	require.Equal(t, 1, written.n)
	require.Equal(t, 1, runtime.GOMAXPROCS(0))
	require.Equal(t, 60, debug.SetGCPercent(60))

	runtime.GOMAXPROCS(2)
	_, err = out.Write([]byte("another"))
	require.NoError(t, err)
	require.Equal(t, 2, runtime.GOMAXPROCS(0), "once")
}

func TestGOMAXPROCSAndGOGCAreRespected(t *testing.T) {
	t.Setenv("GOMAXPROCS", "2")
	t.Setenv("GOGC", "100")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	_, err := (&settling{WriteCloser: &answers{}}).Write(nil)
	require.NoError(t, err)
	require.Equal(t, 2, runtime.GOMAXPROCS(0))
	require.Equal(t, 100, debug.SetGCPercent(100))
}
