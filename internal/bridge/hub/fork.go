package hub

import (
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// open opens a session, which begins as a copy of another if the request is to fork that. Clients
// that attach later are shown the copied history; the client that forked the session already has
// it. Only the source knows where in the running turn the copy ends, so it shows the history of
// the copy. If it can't, the history is that of the original.
func (q *request) open() {
	h := q.client.hub
	up := h.connect()
	cursor, _, _ := rawmsg.Member(q.params, "cursorId")
	forks, whole := q.method == v1.MethodSessionFork, len(cursor) == 0 || string(cursor) == "null"
	var past []change
	if from := h.sessions[rawmsg.MemberText(q.params, "sessionId")]; forks && whole && from != nil && from.open {
		past = from.whole()
	}
	q.send(up, q.method, q.params, func(result, failure []byte) {
		switch {
		case failure != nil || rawmsg.MemberText(result, "sessionId") == "":
			q.settle(nil, result, failure)
		case forks && !whole && !q.upstream.Replayed:
			q.loadFork(up, result)
		default:
			q.opened(result, past)
		}
	})
}

// loadFork asks the source for the history of a copy that ends at a cursor.
func (q *request) loadFork(up *upstream, forked []byte) {
	h := up.hub
	id := rawmsg.MemberText(forked, "sessionId")
	s := h.sessions[id]
	if s == nil {
		s = h.newSession(id)
	}
	s.history.clear()
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
		var a *attachment
		if q.client != nil {
			a = s.attach(q.client, s.history.last)
		}
		q.settle(nil, forked, nil)
		if a != nil {
			a.showLatest()
		}
		for _, w := range waiting {
			resume(w, s)
		}
		s.mayClose()
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
