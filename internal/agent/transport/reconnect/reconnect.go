// Package reconnect repeats what a broken connection or a busy server interrupts, such as
// reading a stream, until it succeeds or has failed too often in a row.
package reconnect

import (
	"context"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// Waits are the delays before further attempts. If the attempt after the last delay fails,
// so does the whole.
type Waits []time.Duration

// Default returns the delays for servers. They add up to 7.75 s.
func Default() Waits {
	return Waits{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}
}

// An Outcome is the result of an attempt.
type Outcome int

// The outcomes of an attempt.
const (
	Broken   Outcome = iota // it failed, and another attempt may succeed
	Advanced                // likewise, but it made progress: attempts are counted from here
	Final                   // no attempt follows
)

// OutcomeOf returns the outcome of a request, or of reading its response.
func OutcomeOf(err error) Outcome {
	if err == nil || httpsse.IsPermanent(err) {
		return Final
	}
	return Broken
}

// Retry makes attempts until one is final, and returns its error. If too many fail, it
// returns the error of the last one. If ctx ends, it returns its error.
func (w Waits) Retry(ctx context.Context, attempt func() (Outcome, error)) error {
	for failures := 0; ; failures++ {
		outcome, err := attempt()
		switch {
		case outcome == Final:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case outcome == Advanced:
			failures = 0
		}
		if failures == len(w) {
			return err
		}
		if !Sleep(ctx, w[failures]) {
			return ctx.Err()
		}
	}
}

// Sleep waits for d, and returns false if ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
