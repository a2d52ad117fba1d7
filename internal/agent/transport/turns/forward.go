package turns

import (
	"context"
	"iter"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/lease"
)

// say forwards an event of no turn.
func (s *session) say(e agent.Event) bool { return s.forward(s.ctx, agent.One{Event: e}, nil) }

// forward hands b over, unless ctx ends before, and waits until it is released:
// what decodes it must not be used by two.
func (s *session) forward(ctx context.Context, b agent.Batch, view lease.View) bool {
	l := lease.New(b, view)
	if !s.offer(ctx.Done(), l) {
		return false
	}
	s.await(l)
	return ctx.Err() == nil
}

// offer hands l over, unless stop is closed before.
func (s *session) offer(stop <-chan struct{}, l *lease.Batch) bool {
	select {
	case <-stop: // of two ready cases select takes any
		l.Release()
		return false
	default:
	}
	select {
	case s.events <- l:
		return true
	case <-stop:
		l.Release()
		return false
	}
}

// await waits until l is released, or until the session ends: nobody may be
// left to release it then.
func (s *session) await(l *lease.Batch) {
	select {
	case <-l.Returned():
	case <-s.ctx.Done():
	}
}

// decoded is a batch of one line.
type decoded struct {
	decoder dialect.Decoder
	log     *slog.Logger
	line    []byte
}

// Events implements [agent.Batch].
func (d decoded) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		dialect.Decode(d.decoder, d.log, d.line, yield)
	}
}

// Release implements [agent.Batch].
func (decoded) Release() {}
