package lifecycle

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// Steer implements [agent.Steerer]. For an agent of a [LineBackend], it expects that
// the agent accepts messages during turns.
func (s *session) Steer(c agent.Steer) bool {
	t := s.current(c.TurnID)
	if t == nil || t.IsCancelled() || isClosed(t.ended) {
		return false
	}
	if s.lines != nil {
		c.Type = agent.CommandSteer
		s.logUnsent(s.lines.Send(Command{TurnID: c.TurnID, Line: c}))
		return true
	}
	b, can := s.backend.(Steerable)
	// A turn that waits for the previous one drops what is delivered.
	if !can || !t.started.Load() {
		return false
	}
	s.enqueue(c.TurnID, decision{call: func(ctx context.Context) error {
		if t.IsCancelled() {
			return nil
		}
		steered := &agent.Steered{SteerID: c.SteerID}
		if err := b.Steer(ctx, c.Text); err != nil {
			s.log.Info("the agent did not accept a message during a turn", "error", err)
			steered.Refused = err.Error()
		}
		// A receiver that does not read must not delay a cancel.
		s.work.Go(func() { t.Emit(steered) })
		return nil
	}})
	return true
}
