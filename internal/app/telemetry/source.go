package telemetry

import (
	"context"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A watchedSource is a source whose calls are recorded.
type watchedSource struct {
	core.Source

	w *Watcher
}

// Call implements [core.Source].
func (s *watchedSource) Call(c *core.Call) {
	s.w.called(c)
	s.Source.Call(c)
}

// Notify implements [core.Source].
func (s *watchedSource) Notify(method string, params []byte) {
	if method == v1.MethodSessionCancel {
		s.w.cancelled(params)
	}
	s.Source.Notify(method, params)
}

// Close implements [core.Source].
func (s *watchedSource) Close(ctx context.Context) {
	s.Source.Close(ctx)
	s.w.End()
}
