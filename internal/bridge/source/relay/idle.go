package relay

import (
	"maps"
	"time"

	"github.com/turnwire/turnwire/protocol"
)

// watch ends an agent that is silent for too long while a prompt waits for it and it
// waits for no answer.
func (u *upstream) watch() {
	const looks = 8 // number of checks within the timeout
	r := u.relay
	ticker := time.NewTicker(max(r.cfg.Agent.IdleTimeout/looks, time.Millisecond))
	defer ticker.Stop()
	for silent := 0; ; {
		select {
		case <-ticker.C:
		case <-u.transport.Done():
			return
		}
		if silent++; u.active.Swap(false) || !u.isAwaited() {
			silent = 0
		}
		if silent >= looks {
			r.mu.Lock()
			u.failPrompts(protocol.Errorf(protocol.CodeInternal, "%s was silent for %s", r.cfg.Agent.reachedAs(), r.cfg.Agent.IdleTimeout).With("code", "agent_idle"))
			r.mu.Unlock()
			u.transport.Kill()
			return
		}
	}
}

// isAwaited reports whether a prompt waits for the agent, and the agent waits for no
// answer.
func (u *upstream) isAwaited() bool {
	u.relay.mu.Lock()
	defer u.relay.mu.Unlock()
	for _, a := range u.pending {
		if !a.unneeded {
			return false
		}
	}
	for _, q := range u.calls {
		if q.isPrompt() {
			return true
		}
	}
	return false
}

// failPrompts fails the prompts that wait for the agent. The caller holds the lock.
func (u *upstream) failPrompts(err error) {
	for _, q := range inOrder(maps.Values(u.calls)) {
		if !q.isPrompt() {
			continue
		}
		if q.session != nil {
			for _, n := range q.session.closeCalls() {
				u.relay.view.Send(n)
			}
		}
		u.relay.requests.fail(q, err)
	}
}
