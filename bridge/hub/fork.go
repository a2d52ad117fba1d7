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

// begin puts what was said in another session before all that was said in this one.
// It returns the number of the last of that.
func (s *session) begin(past []change) (last int64) {
	since := s.history.changes
	s.history = history{}
	for _, c := range past {
		if update := c.update(); len(update) > 0 && !c.aware {
			copied := s.updateChange(update)
			copied.times = c.times
			s.history.add(copied)
		}
	}
	last = s.history.last
	for _, c := range since {
		s.history.add(c)
	}
	return last
}
