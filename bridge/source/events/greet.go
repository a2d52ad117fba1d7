package events

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// greet waits until the agent has introduced itself, or is not to be waited for.
// What it offers by then is in the answer to session/new; all else that it says
// follows that.
func (s *session) greet(ctx context.Context) {
	s.out.hold()
	if options := s.peers.agent.Options(); len(options) > 0 {
		s.stream.add(&agent.ConfigOptions{Options: options})
	}
	introduced := agent.Introduced(s.peers.agent)
	for {
		select {
		case b, ok := <-s.peers.agent.Events():
			if !ok {
				return
			}
			for e := range b.Events() {
				s.stream.add(e)
			}
			b.Release()
		case <-introduced:
			return
		case <-ctx.Done():
			return
		}
	}
}

// keepState keeps what the agent is to be given when its session goes on.
// It reports whether it can be kept.
func (s *session) keepState(e *agent.State) bool {
	kept := s.memory.keep(e.State)
	if !kept {
		s.turn.logger().Warn("the agent's state is too large to be kept", "bytes", len(e.State), "limit", agent.MaxState)
	}
	return kept
}
