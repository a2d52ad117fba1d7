package sim

import (
	"fmt"
	"time"
)

// idleLimit is how long an odd agent may be silent during a turn.
const idleLimit = 20 * time.Minute

// idleLaw: a prompt fails if its agent is silent for too long, and waits for no answer.
type idleLaw struct{ world *World }

func newIdle() law { return new(idleLaw) }

func (*idleLaw) name() string { return "silent agents are ended" }

func (l *idleLaw) see(w *World, _ *event) error {
	l.world = w
	return nil
}

// overdue implements [immediate].
func (l *idleLaw) overdue() error {
	if l.world == nil {
		return nil
	}
	for _, c := range l.world.clients {
		for _, id := range sortedKeys(c.calls) {
			one := c.calls[id]
			s := l.world.session(one.session)
			if !one.open || one.turn == "" || s == nil || s.running != one.turn || c.troubled || c.gone || c.leaving || !l.world.isRunning(c.server) || !l.world.isJoined() {
				continue
			}
			if by := s.actor; by.agent.Skills&odd != 0 && by.agent.Manner >= hanging && by.agent.Manner <= deaf && by.silence() > idleLimit*5/4 && by.isReached() {
				return fmt.Errorf("%s still waits for %s, although %s has been silent", c.name, one.turn, by.agent.Name)
			}
		}
	}
	return nil
}

// silence returns how long the agent has neither written nor waited for an answer.
func (c *actor) silence() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) > 0 || c.isPolling() {
		return 0
	}
	return time.Since(c.wrote)
}

func (*idleLaw) end(*World) error { return nil }
