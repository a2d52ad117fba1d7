package ethos

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// cancellable is a decoder for one turn. Once the user has cancelled the
// turn, it reports the turn's end as cancelled, whatever Ethos calls it:
// usually success, sometimes a model error.
type cancellable struct {
	dialect.Decoder
	cancelled <-chan struct{}
}

// Decode implements [dialect.Decoder].
func (c cancellable) Decode(line []byte, yield func(agent.Event) bool) error {
	return c.Decoder.Decode(line, func(e agent.Event) bool { return yield(c.settle(e)) })
}

func (c cancellable) settle(e agent.Event) agent.Event {
	select {
	case <-c.cancelled:
	default:
		return e
	}
	switch e := e.(type) {
	case *agent.Done:
		e.StopReason = agent.StopCancelled
	case *agent.Error:
		if e.Fatal == nil || *e.Fatal {
			return &agent.Done{StopReason: agent.StopCancelled}
		}
	}
	return e
}
