package sim

import (
	"fmt"
	"slices"
)

// rewindsLaw: a session that was forked before a message has what precedes the message, and
// nothing else, for clients and for its agent. An agent that starts again in a session is told
// each earlier message once.
type rewindsLaw struct {
	order map[string]int // by turn: when it began, from 1 on
}

func newRewinds() law { return &rewindsLaw{make(map[string]int)} }

func (*rewindsLaw) name() string { return "sessions contain what precedes them" }

func (l *rewindsLaw) see(w *World, e *event) error {
	switch {
	case e.kind == began && l.order[e.turn] == 0:
		l.order[e.turn] = len(l.order) + 1
	case e.kind == remembered && w.session(e.session) != nil: // AHP clients may know others
		seen := make(map[string]bool)
		for _, turn := range e.texts {
			if w.prompted[turn] == "" {
				continue // another message, or the answer to a question
			}
			if seen[turn] || turn == e.turn || !l.precedes(w, turn, e.session) {
				return fmt.Errorf("%s is told about the message %s before %s: %v", e.actor.agent.Name, turn, e.turn, e.texts)
			}
			seen[turn] = true
		}
	}
	return nil
}

// precedes reports whether a turn belongs to a session or to what the session was forked from.
func (l *rewindsLaw) precedes(w *World, turn, id string) bool {
	for s := w.session(id); s != nil; s = w.session(s.parent) {
		if w.prompted[turn] == s.id {
			return true
		}
		if s.before != "" && l.order[s.before] > 0 && l.order[turn] >= l.order[s.before] {
			return false
		}
	}
	return false
}

func (l *rewindsLaw) end(w *World) error {
	for _, s := range w.sessions {
		if s.before == "" || s.deleted || s.unclear || s.unsaved || len(w.finals[s.id]) == 0 {
			continue
		}
		has, _ := piecesIn(w.finals[s.id][0].transcript)
		for _, piece := range has {
			if !l.precedes(w, turnOf(piece), s.id) {
				return fmt.Errorf("the session %s has %s, but was forked before %s", s.id, piece, s.before)
			}
		}
		from := w.session(s.parent)
		if from == nil || from.deleted || from.unclear || from.unsaved || from.before != "" || len(w.finals[from.id]) == 0 {
			continue
		}
		all, _ := piecesIn(w.finals[from.id][0].transcript)
		for _, piece := range all {
			turn := turnOf(piece)
			if !w.shared[turn] && l.order[turn] > 0 && l.order[s.before] > 0 && l.order[turn] < l.order[s.before] && !slices.Contains(has, piece) {
				return fmt.Errorf("the session %s lacks %s, and was forked before %s", s.id, piece, s.before)
			}
		}
	}
	return nil
}
