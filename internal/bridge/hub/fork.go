package hub

import (
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// fork opens a session that begins as a copy of another. Clients that attach later are
// shown the copied history; the client that forked the session already has it.
func (q *request) fork() {
	if cursor, _, _ := rawmsg.Member(q.params, "cursorId"); len(cursor) > 0 && string(cursor) != "null" {
		q.forkAt()
		return
	}
	var past []change
	if from := q.client.hub.sessions[rawmsg.MemberText(q.params, "sessionId")]; from != nil && from.open {
		past = from.whole()
	}
	q.open(past)
}

// forkAt opens a session that begins as a copy of another up to a cursor. Only the source
// knows which of the session's changes precede the cursor, so it is asked for the history
// of the copy.
func (q *request) forkAt() {
	h := q.client.hub
	up := h.connect()
	q.send(up, q.method, q.params, func(forked, failure []byte) {
		id := rawmsg.MemberText(forked, "sessionId")
		if failure != nil || id == "" {
			q.settle(nil, forked, failure)
			return
		}
		s := h.sessions[id]
		if s == nil {
			s = h.newSession(id)
		}
		s.history = history{shelf: s.history.shelf} // loading repeats what it has so far
		s.history.shelf.renew()
		s.loading = []*request{}
		params := with(rawmsg.Without(q.params, "cursorId"), "sessionId", rawmsg.Quote(id))
		if servers, _, _ := rawmsg.Member(params, "mcpServers"); servers == nil {
			params = with(params, "mcpServers", []byte("[]"))
		}
		up.call(q.client, v1.MethodSessionLoad, params, func(state, failure []byte) {
			waiting := s.loading
			s.loading = nil
			if failure != nil {
				h.drop(s)
				for _, w := range append(waiting, q) {
					w.settle(nil, nil, failure)
				}
				return
			}
			s.opened(q, state)
			if q.client != nil {
				s.attach(q.client, s.history.last)
			}
			q.settle(nil, forked, nil)
			for _, w := range waiting {
				resume(w, s)
			}
			s.mayClose()
		})
	})
}

// whole returns the session's folded history, in which all tool calls have ended.
func (s *session) whole() []change {
	past, err := s.history.shelf.all()
	if err != nil {
		s.hub.log.Warn("part of a long session is missing from its fork", "session", s.id, "error", err)
	}
	past = append(past, fold(s.history.changes)...)
	for _, id := range openCalls(past) { // their ends will be those of the original alone
		past = append(past, s.envelope.change(rawmsg.Encode(map[string]string{
			"sessionUpdate": "tool_call_update", "toolCallId": id, "status": "failed",
		})))
	}
	return past
}

// openCalls returns the ids of the tool calls that have not ended after the changes, in
// the order in which they were announced.
func openCalls(changes []change) (open []string) {
	for i := range changes {
		update := changes[i].update()
		id := rawmsg.MemberText(update, "toolCallId")
		if id == "" {
			continue
		}
		switch rawmsg.MemberText(update, "status") {
		case "completed", "failed":
			open = slices.DeleteFunc(open, func(o string) bool { return o == id })
		default:
			if rawmsg.MemberText(update, "sessionUpdate") == "tool_call" && !slices.Contains(open, id) {
				open = append(open, id)
			}
		}
	}
	return open
}

// precede puts another session's changes before the history, which so far contains only
// what the agent sent before its response. It returns the number of the last of them.
func (h *history) precede(past []change, e envelope) (last int64) {
	since := h.changes
	*h = history{shelf: h.shelf}
	h.shelf.renew()
	for _, c := range past {
		if update := c.update(); len(update) > 0 && !c.aware && !c.isCursor() { // a cursor belongs to one session
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
