package ahphost

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
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
		case n.Event != nil && n.Event.Kind == core.SessionEnded:
			delete(u.sessions, n.Session)
			s.remote.hasEnded = true
			s.lose()
			s.unattend()
		case n.Event != nil && n.Event.Kind == core.HistoryBegins:
			s.beginHistory()
		case n.Event == nil: // another notification, or an update that can't be decoded
			u.agent.host.cfg.Log.Debug("ignored a notification", "method", short(rawmsg.MemberText(n.Line, "method")))
		case s.remote.isAttaching:
			pastEvent(s, n.Event)
		case s.chat.ready():
			s.clientEvent(n.Event)
		}
	})
}

// Update implements [core.View].
func (u *upstream) Update(id string, update v1.Update, _ v1.Times) error {
	u.locked(func() {
		s := u.sessions[id]
		switch {
		case s == nil:
		case s.remote.isAttaching:
			s.past(update)
		case s.chat.ready():
			s.update(update)
		}
	})
	return nil
}

// Chunks implements [core.View]. The hub sends updates instead of chunks.
func (u *upstream) Chunks(*core.Frame, []byte, []int) error { return nil }

// Request implements [core.View].
func (u *upstream) Request(a *core.Request) error {
	u.locked(func() { u.asked(a) })
	return nil
}

// Withdraw implements [core.View].
func (u *upstream) Withdraw(a *core.Request) {
	u.locked(func() {
		if k := u.requests[a]; k != nil {
			k.withdrawn()
		}
	})
}

// Forget implements [core.View]. Withdraw has already dropped the request.
func (u *upstream) Forget(*core.Request) {}

// AwaitRoom implements [core.View]. The fastest client sets the pace: the hub folds
// what that client has not received yet. A slower client's queue grows up to its limit.
func (u *upstream) AwaitRoom() {
	h := u.agent.host
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients.awaitRoom(u.agent, func() bool { return u.closing || h.closed })
}

// follows reports whether the client is subscribed to a session of an agent.
func (c *client) follows(a *agent) bool {
	for channel := range c.channels {
		if s, _ := c.host.sessions.find(channel); s != nil && s.agent == a {
			return true
		}
	}
	return false
}

// Flush implements [core.View].
func (u *upstream) Flush() {}
