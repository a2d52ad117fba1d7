package hub

import "github.com/turnwire/turnwire/internal/protocol/rawmsg"

// fork opens a session that begins as a copy of another. Clients that attach later are
// shown the copied history; the client that forked the session already has it.
func (q *request) fork() {
	var past []change
	if from := q.front.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]; from != nil && from.open {
		past = from.whole()
	}
	q.open(past)
}

// whole returns the session's folded history.
func (s *session) whole() []change {
	past, err := s.history.shelf.all()
	if err != nil {
		s.hub.log.Warn("a part of a long session is not in its fork", "session", s.id, "error", err)
	}
	return append(past, fold(s.history.changes)...)
}

// precede puts another session's changes before the history, which so far contains only
// what the agent sent before its response. It returns the number of the last of them.
func (h *history) precede(past []change, e envelope) (last int64) {
	since := h.changes
	*h = history{shelf: h.shelf}
	h.shelf.renew()
	for _, c := range past {
		if update := c.update(); len(update) > 0 && !c.aware {
			copied := e.change(update)
			copied.times = c.times
			h.add(copied)
		}
	}
	last = h.last
	for _, c := range since {
		h.add(c)
	}
	return last
}
