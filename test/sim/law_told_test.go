package sim

import "fmt"

// toldLaw: an agent that works on a turn hears of its cancel, unless it ends the turn or
// itself before.
type toldLaw struct {
	world   *World
	sent    map[string]*client // by turn: who cancelled it in this step
	stopped []*event           // the cancels of AHP clients in this step
	due     map[string]*actor  // by turn: the agent that must hear of its cancel
	heard   map[string]bool    // by turn: its agent has heard of a cancel, and need not hear of another
}

func newTold() law {
	return &toldLaw{sent: make(map[string]*client), due: make(map[string]*actor), heard: make(map[string]bool)}
}

func (*toldLaw) name() string { return "each cancel reaches the agent" }

func (l *toldLaw) see(w *World, e *event) error {
	l.world = w
	switch {
	case e.kind == sent && e.message.Method == "session/cancel":
		if s := w.session(e.session); s != nil && s.running != "" && !l.heard[s.running] && e.client.controls(e.session) {
			l.sent[s.running] = e.client
		}
	case e.kind == stopped && !e.mirror.isReturning(): // otherwise, its connection may break before
		l.stopped = append(l.stopped, e)
	case e.kind == cancelled, e.kind == finished:
		l.heard[e.turn] = true
		delete(l.sent, e.turn)
		delete(l.due, e.turn)
	case e.kind == rested:
		for _, turn := range sortedKeys(l.due) {
			if by := l.due[turn]; by.ctx.Err() == nil && !by.server.killed {
				return fmt.Errorf("%s never hears of the cancel of %s", by.agent.Name, turn)
			}
		}
	}
	return nil
}

// settled implements [settler].
func (l *toldLaw) settled() {
	for turn, by := range l.sent {
		s := l.world.session(l.world.prompted[turn])
		if by.isHeard() && s != nil && s.running == turn && s.actor.hears(turn) {
			l.due[turn] = s.actor
		}
	}
	clear(l.sent)
	for _, e := range l.stopped {
		s := l.world.session(l.world.prompted[e.turn])
		if !e.mirror.gone && s != nil && s.running == e.turn && !l.heard[e.turn] && s.actor.hears(e.turn) {
			l.due[e.turn] = s.actor
		}
	}
	l.stopped = nil
}

func (*toldLaw) end(*World) error { return nil }
