package reconnect_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
)

var errBroken = errors.New("the stream broke")

func TestAttemptsFollowUntilOneIsFinal(t *testing.T) {
	final := errors.New("nothing to read")
	for name, c := range map[string]struct {
		outcomes []reconnect.Outcome
		err      error
		waited   time.Duration
	}{
		"it succeeds":         {[]reconnect.Outcome{reconnect.Final}, nil, 0},
		"it fails for good":   {[]reconnect.Outcome{reconnect.Final}, final, 0},
		"at the last attempt": {[]reconnect.Outcome{reconnect.Broken, reconnect.Broken, reconnect.Final}, nil, 3 * time.Second},
		"after progress": {
			[]reconnect.Outcome{reconnect.Broken, reconnect.Broken, reconnect.Advanced, reconnect.Broken, reconnect.Final}, nil, 6 * time.Second,
		},
		"too often in a row": {[]reconnect.Outcome{reconnect.Advanced, reconnect.Broken, reconnect.Broken}, errBroken, 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun, attempts := time.Now(), 0
				err := reconnect.Waits{time.Second, 2 * time.Second}.Retry(t.Context(), func() (reconnect.Outcome, error) {
					attempts++
					outcome := c.outcomes[attempts-1]
					if outcome == reconnect.Final {
						return outcome, c.err
					}
					return outcome, errBroken
				})
				require.ErrorIs(t, err, c.err)
				require.Len(t, c.outcomes, attempts)
				require.Equal(t, c.waited, time.Since(begun))
			})
		})
	}
}

func TestOnlyAPassingErrorIsNotFinal(t *testing.T) {
	require.Equal(t, reconnect.Final, reconnect.OutcomeOf(nil))
	require.Equal(t, reconnect.Final, reconnect.OutcomeOf(httpsse.ErrTooLong))
	require.Equal(t, reconnect.Broken, reconnect.OutcomeOf(errBroken))
}

func TestNoAttemptFollowsTheEndOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		attempts := 0
		err := reconnect.Waits{time.Minute}.Retry(ctx, func() (reconnect.Outcome, error) {
			attempts++
			return reconnect.Broken, errBroken
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, attempts)
	})
}
