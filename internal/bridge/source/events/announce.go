package events

import (
	"context"

	"github.com/turnwire/turnwire/agent"
)

// announce waits until the agent has introduced itself, no longer needs to, or ctx is
// done. The options offered by then go into the session/new response; everything else
// follows the response.
func (s *session) announce(ctx context.Context) {
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
