package hub

import "github.com/turnwire/turnwire/protocol/rawmsg"

// fork opens a session that begins as a copy of another one. A front end that comes to
// it later is shown what was said before; the one that forked it knows that.
func (q *request) fork() {
	var past []change
	if from := q.front.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]; from != nil && from.open {
		past = fold(from.history.changes)
	}
	q.open(past)
}

// precede puts what was said in another session before the history. It returns the
// number of the last of that.
func (h *history) precede(past []change, e envelope) (last int64) {
	since := h.changes
	*h = history{}
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
