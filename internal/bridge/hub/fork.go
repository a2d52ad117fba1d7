package hub

import "github.com/turnwire/turnwire/internal/protocol/rawmsg"

// fork opens a session that begins as a copy of another one. A front end that comes to
// it later is shown what was said before; the one that forked it knows that.
func (q *request) fork() {
	var past []change
	if from := q.front.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]; from != nil && from.open {
		past = from.whole()
	}
	q.open(past)
}

// whole returns the history of the session, folded.
func (s *session) whole() []change {
	past, err := s.history.shelf.all()
	if err != nil {
		s.hub.log.Warn("a part of a long session is not in its fork", "session", s.id, "error", err)
	}
	return append(past, fold(s.history.changes)...)
}

// precede puts what was said in another session before the history, which is as long as
// what an agent says before it has answered. It returns the number of the last of that.
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
