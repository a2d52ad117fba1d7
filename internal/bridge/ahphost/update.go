package ahphost

import (
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// update handles an update of the session. The caller holds the lock.
func (s *session) update(u v1.Update) {
	if s.updateOfSession(u) {
		return
	}
	s.remote.messages.see(u)
	c, is := u.(*v1.MessageChunk)
	if is && c.Kind == v1.UserMessage {
		s.chat.interrupted = false
		s.others.add(c)
		return
	}
	if is && !s.chat.ready() {
		s.chat.interrupted = saysInterrupted(c)
	}
	s.turn.update(u)
}

// past handles an update in the session's history.
func (s *session) past(u v1.Update) {
	switch c := s.remote.catchUp; {
	case c != nil:
		c.change(u)
	case !s.chat.ready():
		s.update(u)
	default: // the history has not begun, and repeats this
	}
}

// pastEvent handles what a client did, according to the session's history.
func pastEvent(s *session, e *core.ClientEvent) {
	switch c := s.remote.catchUp; {
	case c != nil:
		c.event(e)
	case !s.chat.ready() && (e.Kind == core.Prompted || e.Kind == core.TurnEnded):
		s.clientEvent(e)
	}
}

// clientEvent handles what a session's clients did.
func (s *session) clientEvent(n *core.ClientEvent) {
	ours := s.chat.ready() && s.remote.isSelf(n.By) // the history may have prompts of an earlier host
	switch {
	case n.Kind == core.Resolved:
		s.pending.resolved(n.ToolCall, ours, n.Option)
	case ours: // the agent's response follows
	case n.Kind == core.Prompted:
		s.remote.messages.end()
		s.queue.postpone()
		s.others.sent(n.By, n.Blocks)
	case n.Kind == core.TurnEnded:
		s.others.ended(n.By, n.StopReason, n.Error)
	}
}

// updateOfSession applies an update about the session itself, and reports whether u is
// one.
func (s *session) updateOfSession(u v1.Update) bool {
	switch u := u.(type) {
	case *v1.SessionInfoUpdate:
		s.overview.entitle(u.Title)
		s.remote.noteSteering(u.Meta)
	case *v1.CursorUpdate:
		s.rewinds.update(u)
	case *v1.CurrentModeUpdate:
		s.choices.setMode(u.CurrentModeID)
	case *v1.ConfigOptionUpdate:
		s.choices.set(u.ConfigOptions, nil)
		if s.chat.ready() { // not from the history; some agents learn their models late
			s.choices.share()
		}
	case *v1.AvailableCommandsUpdate:
		s.choices.setCommands(u.AvailableCommands)
	default:
		return false
	}
	return true
}

// beginHistory starts to build the chat from the history, or to complete one that clients
// see already.
func (s *session) beginHistory() {
	if s.chat.ready() {
		s.remote.catchUp = newCatchUp(s)
		return
	}
	s.remote.messages = messages{}
	s.others.prompts, s.turn.running = nil, nil // what arrived before comes again
	s.chat.interrupted = false
	s.rewinds.reset()
	s.chat.beginReplay()
}

// attached records that the history is complete. running reports whether a turn is
// running.
func (s *session) attached(running bool) {
	s.rewinds.attached()
	if s.chat.ready() {
		if s.remote.catchUp != nil {
			s.remote.catchUp.end(running)
		}
		return
	}
	s.settle(running)
	s.chat.checkSent(&s.remote.messages)
	s.chat.endReplay()
}

// settle ends the turn that the history left open, unless it is still running. The
// history doesn't contain the time at which that turn began.
func (s *session) settle(running bool) {
	if s.turn.runs() && (s.turn.isUnsolicited() || s.turn.isOwn() || !running) {
		s.turn.end(v1.StopEndTurn, nil)
	}
	if t := s.chat.active(); t != nil && t.StartedAt == "" {
		t.StartedAt = now()
	}
	if t := s.chat.last(); t != nil {
		s.choices.stamp(&t.Message) // VS Code reads the model there
	}
	s.turn.flush()
}

// saysInterrupted reports whether a text of the history is the notice that the turn was
// interrupted. The host gets notices as texts.
func saysInterrupted(c *v1.MessageChunk) bool {
	text, is := c.Content.(*v1.TextBlock)
	return is && strings.Contains(text.Text.String(), core.Interrupted)
}

// maxQuoted bounds what a notice quotes of messages, in characters.
const maxQuoted = 500

// tellInterrupted tells a client that came back after a restart of the host what was
// interrupted in its chats, and what was not sent. VS Code shows what a snapshot adds only
// in chats that it opens. It may also apply actions that follow the snapshots before these,
// and so lose them: the caller waits for a sign that it has applied the snapshots.
func (h *Host) tellInterrupted(channels []string) {
	for _, channel := range channels {
		if s, _ := h.sessions.find(channel); s != nil {
			s.tellInterrupted()
		}
	}
}

// tellInterrupted tells what was interrupted in the session, once.
func (s *session) tellInterrupted() {
	if !s.chat.interrupted && s.chat.unsent == "" && s.chat.unsure == "" || !s.chat.ready() || s.turn.runs() {
		return
	}
	text := "The server was restarted."
	if s.chat.interrupted {
		text = "The server was restarted, and the previous turn was interrupted."
	}
	if s.chat.unsent != "" {
		text += " Not sent: " + quoted(s.chat.unsent)
	}
	if s.chat.unsure != "" {
		text += "\n\nThe agent may have received this, and its answer is lost: " + quoted(s.chat.unsure)
	}
	s.chat.interrupted, s.chat.unsent, s.chat.unsure = false, "", ""
	s.turn.notice(text)
}

// quoted returns the beginning of a message.
func quoted(text string) string {
	if runes := []rune(text); len(runes) > maxQuoted {
		return string(runes[:maxQuoted]) + "…"
	}
	return text
}
