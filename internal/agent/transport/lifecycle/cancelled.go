package lifecycle

import (
	"context"
	"time"
)

// Cancelled is closed when the user has cancelled the turn.
func (t *Turn) Cancelled() <-chan struct{} { return t.cancelled }

// IsCancelled reports whether the user has cancelled the turn.
func (t *Turn) IsCancelled() bool { return isClosed(t.cancelled) }

// UntilCancelled returns a context that also ends when the user cancels the turn. It is
// for agents that have no better way to cancel than a closed connection. end must be
// called.
func (t *Turn) UntilCancelled(ctx context.Context) (_ context.Context, end context.CancelFunc) {
	return t.AfterCancel(ctx, 0)
}

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
