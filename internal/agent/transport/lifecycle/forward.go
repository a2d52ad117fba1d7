package lifecycle

import (
	"context"
	"iter"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
)

// say forwards an event that belongs to no turn.
func (s *session) say(e agent.Event) bool { return s.forward(s.ctx, agent.One{Event: e}, nil) }

// forward hands over b, unless ctx ends first, and waits until it is released,
// because two goroutines must not use its decoder.
func (s *session) forward(ctx context.Context, b agent.Batch, view batch.View) bool {
	l := batch.New(b, view)
	if !s.offer(ctx.Done(), l) {
		return false
	}
	s.await(l)
	return ctx.Err() == nil
}

// offer hands over l, unless stop is closed first.
func (s *session) offer(stop <-chan struct{}, l *batch.Tracked) bool {
	select {
	case <-stop: // check first: select picks randomly among ready cases
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

// await waits until l is released, or the session ends and nobody may be left
// to release it.
func (s *session) await(l *batch.Tracked) {
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
