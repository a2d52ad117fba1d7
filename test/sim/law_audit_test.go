package sim

import (
	"fmt"
	"strings"
)

// auditedLaw: each permission request that was shown to a client leaves one record. A request in a
// cancelled turn is refused without a decision; it may have been made before the cancel, and
// read afterwards. So is, by the session's next server, what a server was asked that was killed
// before it recorded anything.
type auditedLaw struct {
	decided []*event
	asked   map[string]*actor   // all requests
	over    map[string]bool     // by turn: it was cancelled, or its prompt was answered
	late    map[string]bool     // requests that were made after that, or that nobody had seen by then
	shown   map[string]bool     // requests that a client was shown
	steers  map[string][]string // by session: the messages for its running turns, which may begin others
}

func newAudited() law {
	return &auditedLaw{asked: make(map[string]*actor), over: make(map[string]bool), late: make(map[string]bool), shown: make(map[string]bool), steers: make(map[string][]string)}
}

func (*auditedLaw) name() string { return "each decision is recorded once" }

func (l *auditedLaw) see(w *World, e *event) error {
	switch {
	case e.kind == sent && e.call != nil && e.call.steers != "":
		l.steers[e.session] = append(l.steers[e.session], e.call.steers)
	case e.kind == cancelled, e.kind == stopped, e.kind == shown && e.call != nil && e.turn != "":
		l.over[e.turn] = true
	case e.kind == sent && e.message.Method == "$/cancel_request":
		if c := e.client.calls[string(e.message.params.RequestID)]; c != nil {
			l.over[c.turn] = true
		}
	case e.kind == sent && e.message.Method == "session/cancel":
		if s := w.session(e.session); s != nil && e.client.controls(e.session) {
			for _, turn := range append(l.steers[e.session], s.running) {
				l.over[turn] = true
			}
		}
	case e.kind == asked:
		l.late[e.subject] = l.over[e.turn]
		l.asked[e.subject] = e.actor
	case e.kind == shown && e.request != nil && e.request.method == "session/request_permission" && !strings.HasPrefix(e.request.subject, "question"):
		l.shown[e.request.subject] = true
	case e.kind == decided && !strings.HasPrefix(e.subject, "question-"):
		l.decided = append(l.decided, e)
		l.late[e.subject] = l.late[e.subject] || l.over[e.turn] && !l.shown[e.subject]
	}
	return nil
}

func (l *auditedLaw) end(w *World) error {
	records := make(map[string]int)
	for _, d := range w.audited {
		call := original(d.Call)
		if records[call]++; records[call] > 1 && !strings.HasSuffix(call, twice) {
			return fmt.Errorf("the decision about %s was recorded twice", call)
		}
		if l.asked[call] == nil {
			return fmt.Errorf("a decision about %s was recorded, which nobody requested", call)
		}
	}
	for _, subject := range sortedKeys(l.shown) {
		if by := l.asked[subject]; by != nil && records[subject] == 0 && !by.server.killed {
			return fmt.Errorf("the request %s left no record", subject)
		}
	}
	for _, e := range l.decided {
		abandoned := e.passed && e.actor.server.killed // the next server refuses it, because nobody can answer
		if records[e.subject] == 0 && (e.allows || !l.late[e.subject] && !abandoned) {
			return fmt.Errorf("the decision about %s was not recorded", e.subject)
		}
	}
	return nil
}
