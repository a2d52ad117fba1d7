package relay

import (
	"maps"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/protocol"
)

// A listener tells watch what the goroutine that reads an agent does.
type listener struct {
	begun bool        // only for that goroutine: busy is set
	busy  atomic.Bool // it has lines of the agent that it has not passed on
	heard atomic.Bool // there were some since watch last checked
}

// begin records that the agent wrote a line.
func (l *listener) begin() {
	if !l.begun { // lines are frequent
		l.begun = true
		l.busy.Store(true)
	}
}

// finish records that all lines so far were passed on.
func (l *listener) finish() {
	l.begun = false
	l.busy.Store(false)
	l.heard.Store(true)
}

// watch ends an agent that is silent for too long while a prompt waits for it and it waits
// for no answer. If the client doesn't read, lines wait here, and the agent may be blocked:
// that is not silence.
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
		if silent++; u.listener.heard.Swap(false) || u.listener.busy.Load() || !u.isAwaited() {
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
