// Package limits has the time limits of tests.
package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Patience is how long a test waits for a real process or server. It only serves to end
// tests that hang, so it must be long enough for a busy machine.
const Patience = time.Minute

// pause is the polling interval.
const pause = 5 * time.Millisecond

// Eventually polls condition until it holds, for at most [Patience]. Use it only for
// effects of a real process that nothing signals, such as the removal of a file.
// Everything else has a channel, or a synctest bubble, whose Wait is exact.
func Eventually(t testing.TB, condition func() bool, msgAndArgs ...any) {
	t.Helper()
	require.Eventually(t, condition, Patience, pause, msgAndArgs...)
}
