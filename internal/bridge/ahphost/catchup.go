package ahphost

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A catchUp shows, in a chat that clients follow, the turns that other clients began while
// the host was not attached to the session, and the rest of the one that was running before.
// It finds them in the session's history. The host's mutex guards it.
type catchUp struct {
	session *session
	shown   messages // in the chat

	isNew  bool               // the next message was sent while the host was not attached
	missed bool               // the current turn is not shown yet
	rest   *rest              // not nil in the turn of which only the rest is missed
	next   string             // the client that sent the next message
	blocks []*v1.MessageChunk // of the message of a missed turn
	by     string             // the client that sent the turn's message
	runs   bool               // the turn is shown, and has not ended
}

// newCatchUp returns a catch-up with the history that follows. The session's messages are
// counted again, because the agent may have lost some.
func newCatchUp(s *session) *catchUp {
	c := &catchUp{session: s, shown: s.remote.messages}
	s.remote.messages = messages{}
	return c
}

// change handles an update in the session's history.
func (c *catchUp) change(u v1.Update) {
	if c.session.updateOfSession(u) {
		return
	}
	if u = c.update(u); u != nil {
		c.session.turn.update(u)
	}
}

// event handles what a client did.
func (c *catchUp) event(e *core.ClientEvent) {
	switch e.Kind {
	case core.Prompted:
		c.flush()
		c.session.remote.messages.end()
		c.next, c.isNew = e.By, c.session.remote.hasEnded
	case core.TurnEnded:
		c.flush()
		if c.runs && e.By == c.by {
			c.runs = false
			c.session.others.ended(e.By, e.StopReason, e.Error)
		}
	}
}

// update handles an update, and returns what of it must be shown, or nil.
func (c *catchUp) update(u v1.Update) v1.Update {
	m, is := u.(*v1.MessageChunk)
	if !is || m.Kind != v1.UserMessage {
		c.flush()
		c.session.remote.messages.end()
		if c.session.turn.isOwn() { // no turn can precede one that runs
			return nil
		}
		if c.rest != nil {
			u = c.rest.of(u)
			c.resume(u)
		}
		if !c.missed {
			return nil
		}
		return u
	}
	counted := &c.session.remote.messages
	if counted.block(m.MessageID) {
		c.flush()
		known := c.shown.ids[m.MessageID]
		isNew := c.isNew && !known
		if isNew { // the history that the chat shows may follow, if the message came too early
			c.shown.n++
		}
		c.missed = isNew || !known && counted.n > c.shown.n
		c.isNew, c.rest = false, nil
		if !c.missed && counted.n == c.shown.n { // the latest
			c.rest, c.session.remote.rest = c.session.remote.rest, nil
		}
	}
	c.session.rewinds.repeats(m.MessageID)
	if c.missed {
		c.blocks = append(c.blocks, m)
	}
	return nil
}

// resume begins a turn for the first update of the rest of another.
func (c *catchUp) resume(u v1.Update) {
	if c.missed || u == nil {
		return
	}
	c.missed, c.runs = true, true
	c.by, c.next = c.next, ""
	c.session.others.sent(c.by, 0)
}

// flush begins the turn of a missed message that is complete.
func (c *catchUp) flush() {
	blocks := c.blocks
	c.blocks = nil
	if len(blocks) == 0 || c.session.turn.isOwn() { // no turn can precede one that runs
		return
	}
	c.endTurn()
	others := c.session.others
	c.by, c.next, c.runs = c.next, "", true
	others.sent(c.by, len(blocks))
	for _, b := range blocks {
		others.add(b)
	}
}

// endTurn ends a turn of which the history doesn't say how it ended.
func (c *catchUp) endTurn() {
	if c.runs {
		c.runs = false
		c.session.others.ended(c.by, v1.StopEndTurn, "")
	}
}

// end records that the history is complete. running reports whether a turn is running.
func (c *catchUp) end(running bool) {
	c.flush()
	if !running {
		c.endTurn()
	}
	c.session.remote.catchUp, c.session.remote.rest = nil, nil
}

// beginsTurn reports whether an action may begin a turn. That must wait until the turns are
// shown that other clients began before.
func beginsTurn(a ahp.Action) bool {
	switch a.(type) {
	case *ahp.TurnStarted, *ahp.PendingMessageSet:
		return true
	}
	return false
}

// follow shows what other clients did meanwhile, and then applies the action.
func (s *session) follow(d *dispatched) {
	s.gate.shutFor(d)
	s.remote.refresh(func() {
		if s.gate.isShutFor(d) { // the user didn't cancel
			s.gate.open()
		}
	})
}
