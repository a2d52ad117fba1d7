package sim

import (
	"fmt"
	"time"
)

// prunedLaw: an operator who deletes old sessions deletes none that is open, or in which something
// was said lately.
type prunedLaw struct {
	said map[string]time.Time // by session: when its agent last said something
}

func newPruned() law { return &prunedLaw{make(map[string]time.Time)} }

func (*prunedLaw) name() string { return "only old sessions are deleted" }

func (l *prunedLaw) see(w *World, e *event) error {
	switch e.kind {
	case said:
		if w.isPrompt() { // otherwise, a kill may lose it
			l.said[e.session] = time.Now()
		}
	case pruned:
		s := w.session(e.session)
		if s == nil || s.unsaved {
			return nil
		}
		if at, spoke := l.said[e.session]; spoke && e.age > 0 && !e.limited && time.Since(at) < e.age && !w.hasClocks() {
			return fmt.Errorf("session %s is deleted, but something was said %v ago", s.id, time.Since(at))
		}
		if s.running != "" && s.agent.Kind != aguiAgent && s.agent.Manner != deaf && s.actor.isReached() { // these may ignore the end of a session
			return fmt.Errorf("session %s is deleted while %s works on %s", s.id, s.actor.agent.Name, s.running)
		}
		for _, c := range w.clients {
			if c.isSettledIn(s.id) {
				return fmt.Errorf("session %s is deleted, but %s has it open", s.id, c.name)
			}
		}
	}
	return nil
}

// hasClocks reports whether a machine's clock may be set in this world.
func (w *World) hasClocks() bool {
	for i := range w.plan.Steps {
		if w.plan.Steps[i].Op == opClock {
			return true
		}
	}
	return false
}

func (*prunedLaw) end(*World) error { return nil }
