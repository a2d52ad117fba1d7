package child

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A child that saves something after EOF on stdin has the rest of the deadline,
// minus the time for SIGTERM and the kill.
func TestChildHasTheRestOfTheDeadlineAfterItsStdin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, 400*time.Millisecond, graceOf(t.Context()))
		for deadline, grace := range map[time.Duration]time.Duration{
			500 * time.Millisecond:  400 * time.Millisecond,
			1200 * time.Millisecond: 600 * time.Millisecond,
			1700 * time.Millisecond: 1100 * time.Millisecond,
			time.Minute:             1100 * time.Millisecond,
		} {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			require.Equal(t, grace, graceOf(ctx), deadline)
			cancel()
		}
	})
}
