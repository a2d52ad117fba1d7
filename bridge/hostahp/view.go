package hostahp

import (
	"github.com/turnwire/turnwire/bridge/core"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// locked calls do with the host's mutex held.
func (u *upstream) locked(do func()) {
	u.agent.host.mu.Lock()
	defer u.agent.host.mu.Unlock()
	do()
}

// Relay implements [core.View].
func (u *upstream) Relay(n core.Notification) error {
	u.Send(n)
	return nil
}

// Send implements [core.View].
func (u *upstream) Send(n core.Notification) {
	u.locked(func() {
		s := u.sessions[n.Session]
		switch {
		case s == nil:
		case n.News != nil && n.News.Kind == core.SessionEnded:
			delete(u.sessions, n.Session)
			s.lose()
			s.unattend()
		case s.chat == nil:
		case n.News != nil:
			s.news(n.News)
		case n.To > 0:
			s.update(n.Line[n.From:n.To])
		}
	})
}

// Chunks implements [core.View]. The hub has folded the chunks into updates.
func (u *upstream) Chunks(*core.Frame, []byte, []int) error { return nil }

// Update implements [core.View]. The hub has written the updates.
func (u *upstream) Update(string, v1.Update, v1.Times) error { return nil }

// Ask implements [core.View].
func (u *upstream) Ask(a *core.Ask) error {
	u.locked(func() { u.asked(a) })
	return nil
}

// Withdraw implements [core.View].
func (u *upstream) Withdraw(a *core.Ask) {
	u.locked(func() {
		if k := u.asks[a]; k != nil {
			k.withdrawn()
		}
	})
}

// Forget implements [core.View]. What is withdrawn is forgotten already.
func (u *upstream) Forget(*core.Ask) {}

// AwaitRoom implements [core.View]. The client that reads fastest sets the pace: what it
// does not get yet is folded by the hub. One that is slower gets what it can hold.
func (u *upstream) AwaitRoom() {
	h := u.agent.host
	h.mu.Lock()
	defer h.mu.Unlock()
	for !u.closing && !h.closed && !u.hasRoom() {
		h.room.Wait()
	}
}

// hasRoom reports whether a client that looks at the agent's sessions has got most of
// what was said, or none looks. The lock is held.
func (u *upstream) hasRoom() bool {
	looks := false
	for c := range u.agent.host.clients {
		if !c.looksAt(u.agent) {
			continue
		}
		if looks = true; c.size < lowQueue {
			return true
		}
	}
	return !looks
}

// looksAt reports whether a client is subscribed to a session of an agent.
func (c *client) looksAt(a *agent) bool {
	for channel := range c.channels {
		if s, _ := c.host.find(channel); s != nil && s.agent == a {
			return true
		}
	}
	return false
}

// Flush implements [core.View].
func (u *upstream) Flush() {}
