// Package limits has the time limits of tests.
package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Patience is how long a test waits for a real process or server. It only ends
// tests that hang: a busy machine must not reach it.
const Patience = time.Minute

// pause is the time between two looks at something that notifies nobody.
const pause = 5 * time.Millisecond

// Eventually waits, for at most [Patience], until condition holds. It is for what a
// real process does and tells nobody, like the removal of a file. Everything else
// has a channel, or a bubble of synctest, whose Wait is exact.
func Eventually(t testing.TB, condition func() bool, msgAndArgs ...any) {
	t.Helper()
	require.Eventually(t, condition, Patience, pause, msgAndArgs...)
}
