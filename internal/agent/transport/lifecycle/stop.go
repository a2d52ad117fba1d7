package lifecycle

import (
	"context"
	"sync"
)

// A Stop ends the running turn of a [Backend] whose agent has no other way to cancel it
// than a closed connection.
type Stop struct {
	mu   sync.Mutex
	stop context.CancelFunc // nil between turns
}

// Begin starts a turn. The returned context ends with ctx, or with [Stop.Now]. end must be
// called when the turn returns.
func (s *Stop) Begin(ctx context.Context) (_ context.Context, end func()) {
	ctx, stop := context.WithCancel(ctx)
	s.set(stop)
	return ctx, func() {
		s.set(nil)
		stop()
	}
}

func (s *Stop) set(stop context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop = stop
}

// Now ends the running turn's context. It reports whether a turn is running.
func (s *Stop) Now() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return false // the turn has not begun, and never will
	}
	s.stop()
	return true
}
