package turns

import (
	"context"
	"iter"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// say hands over an event of no turn.
func (s *session) say(e agent.Event) bool { return s.hand(s.ctx, agent.One{Event: e}) }

func (t *Turn) hand(b agent.Batch) bool { return t.session.hand(t.ctx, b) }

// hand hands b over, unless ctx ends before, and waits until it is released:
// what decodes it must not be used by two.
func (s *session) hand(ctx context.Context, b agent.Batch) bool {
	l := &lent{Batch: b, back: make(chan struct{})}
	select {
	case <-ctx.Done(): // of two ready cases select takes any
		b.Release()
		return false
	default:
	}
	select {
	case s.events <- l:
	case <-ctx.Done():
		b.Release()
		return false
	}
	select {
	case <-l.back:
		return ctx.Err() == nil
	case <-s.ctx.Done(): // nobody may be left to give it back
		return false
	}
}

// A lent batch says when it has come back.
type lent struct {
	agent.Batch
	back chan struct{}
}

// Release implements [agent.Batch].
func (l *lent) Release() {
	l.Batch.Release()
	close(l.back)
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

// Joined implements [agent.Batch].
func (d decoded) Joined() iter.Seq[agent.Event] { return d.Events() }

// Release implements [agent.Batch].
func (decoded) Release() {}

// noting is d for this turn.
func (t *Turn) noting(d dialect.Decoder) dialect.Decoder { return noting{t, d} }

type noting struct {
	turn *Turn
	dialect.Decoder
}

// Decode implements [dialect.Decoder].
func (n noting) Decode(line []byte, yield func(agent.Event) bool) error {
	return n.Decoder.Decode(line, func(e agent.Event) bool {
		last := n.turn.note(e)
		more := yield(e)
		n.turn.taken(last)
		return more
	})
}

// Refuse implements [dialect.Refuser], where the decoder does.
func (n noting) Refuse(line []byte, cause error) agent.Event {
	r, ok := n.Decoder.(dialect.Refuser)
	if !ok {
		return nil
	}
	e := r.Refuse(line, cause)
	if e != nil {
		n.turn.note(e)
	}
	return e
}
