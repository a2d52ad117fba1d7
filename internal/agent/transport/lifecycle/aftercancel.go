package lifecycle

import (
	"context"
	"time"
)

// AfterCancel returns a context that also ends some time after the user has cancelled the
// turn. It is for agents that report the end of a cancelled turn, but may fail to. end must
// be called.
func (t *Turn) AfterCancel(ctx context.Context, grace time.Duration) (_ context.Context, end context.CancelFunc) {
	ctx, end = context.WithCancel(ctx)
	if grace == 0 && t.IsCancelled() {
		end()
	}
	go func() {
		select {
		case <-t.cancelled:
			defer time.AfterFunc(grace, end).Stop()
			<-ctx.Done()
		case <-ctx.Done():
		}
	}()
	return ctx, end
}
