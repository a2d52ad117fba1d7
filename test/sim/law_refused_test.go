package sim

import (
	"fmt"
	"strings"
)

// refusedLaw: a cancel refuses at once what the agent requests in the turn, although the
// agent may not react to the cancel.
type refusedLaw struct {
	open map[string]*event  // by request
	sent map[string]*client // by turn: who cancelled it in this step
	own  map[string]*client // by turn: the editor in whose own process it runs
}

func newRefused() law {
	return &refusedLaw{make(map[string]*event), make(map[string]*client), make(map[string]*client)}
}

func (*refusedLaw) name() string { return "a cancel refuses open requests at once" }

func (l *refusedLaw) see(w *World, e *event) error {
	switch {
	case e.kind == asked && !strings.HasSuffix(e.subject, freeing):
		l.open[e.subject] = e
	case e.kind == decided, e.kind == resolved:
		delete(l.open, e.subject)
	case e.kind == sent && e.turn != "" && e.client.kind == editor:
		l.own[e.turn] = e.client
	case e.kind == sent && e.message.Method == "session/cancel":
		s := w.session(e.session)
		if s == nil || s.running == "" || !e.client.controls(e.session) {
			return nil
		}
		// A client that reads nothing may not know that an editor has the session now.
		if by := l.own[s.running]; by == nil || by == e.client {
			l.sent[s.running] = e.client
		}
	}
	return nil
}

// overdue implements [immediate].
func (l *refusedLaw) overdue() error {
	defer clear(l.sent)
	for _, subject := range sortedKeys(l.open) {
		e := l.open[subject]
		by := l.sent[e.turn]
		if by == nil || by.server != e.actor.server && e.actor.world.hadOutage() { // it may not know that it has lost the session
			continue
		}
		if !by.isHeard() || !e.actor.world.isPrompt() || by.kind == editor && by.troubled { // its session may wait for it, or for the disk
			continue
		}
		if e.actor.hears(e.turn) && e.actor.isReached() {
			return fmt.Errorf("%s waits for an answer to %s although %s has cancelled the turn", e.actor.agent.Name, subject, by.name)
		}
	}
	return nil
}

func (*refusedLaw) end(*World) error { return nil }
