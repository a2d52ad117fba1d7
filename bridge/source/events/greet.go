package events

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// greet waits until the agent has introduced itself, or is not to be waited for.
// What it offers by then is in the answer to session/new; all else that it says
// follows that.
func (s *session) greet(ctx context.Context) {
	s.opening = true
	defer func() { s.opening = false }()
	if options := s.peers.agent.Options(); len(options) > 0 {
		s.normalizer.Add(&agent.ConfigOptions{Options: options}, s.step)
	}
	introduced := agent.Introduced(s.peers.agent)
	for {
		select {
		case b, ok := <-s.peers.agent.Events():
			if !ok {
				return
			}
			for e := range b.Events() {
				s.normalizer.Add(e, s.step)
			}
			b.Release()
		case <-introduced:
			return
		case <-ctx.Done():
			return
		}
	}
}

// later keeps an update until the editor knows the session. The options are in
// the answer that tells it.
func (s *session) later(a addressed) {
	switch a.update.(type) {
	case *v1.CurrentModeUpdate, *v1.ConfigOptionUpdate:
		return
	}
	s.postpone(func() { s.send(a) })
}

// postpone keeps what is to be sent to the editor. It is bounded like all that
// waits.
func (s *session) postpone(send func()) {
	if len(s.early) < maxQueuedUpdates {
		s.early = append(s.early, send)
	}
}

// sendEarly sends what the agent has said before the editor knew the session.
func (s *session) sendEarly() {
	for _, send := range s.early {
		send()
	}
	s.early = nil
}

// keepState keeps what the agent is to be given when its session goes on.
// It reports whether it can be kept.
func (s *session) keepState(e *agent.State) bool {
	kept := s.memory.keep(e.State)
	if !kept {
		s.logger().Warn("the agent's state is too large to be kept", "bytes", len(e.State), "limit", agent.MaxState)
	}
	return kept
}
