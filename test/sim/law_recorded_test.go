package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// recordedLaw: a saved session has each decision about its permission requests once, also if the
// server that was asked has died.
type recordedLaw struct {
	asked   []*event
	decided map[string]*event // by request
}

func newRecorded() law { return &recordedLaw{decided: make(map[string]*event)} }

func (*recordedLaw) name() string { return "sessions have their decisions" }

func (l *recordedLaw) see(_ *World, e *event) error {
	switch {
	case e.kind == shown && e.request != nil && e.request.method == "session/request_permission" && !strings.HasPrefix(e.request.subject, "question"):
		l.asked = append(l.asked, e)
	case e.kind == decided && !strings.HasPrefix(e.subject, "question-"):
		l.decided[e.subject] = e
	}
	return nil
}

func (l *recordedLaw) end(w *World) error {
	for _, s := range w.sessions {
		if s.deleted || s.unclear || s.unsaved || s.parent != "" || s.agent.Skills&keeps != 0 {
			continue
		}
		saved, known := w.decisions[s.id]
		if !known {
			continue
		}
		for i, d := range saved {
			if slices.ContainsFunc(saved[:i], func(o consent.Decision) bool { return o.Call == d.Call }) && !strings.HasSuffix(original(d.Call), twice) {
				return fmt.Errorf("session %s has the decision about %s twice", s.id, d.Call)
			}
		}
		for _, e := range l.asked {
			to := l.decided[e.request.subject]
			if w.nats == nil && (to == nil || to.actor.server.killed) {
				continue // its server may have died before it was saved
			}
			if w.edits[e.request.subject] != nil {
				continue // an accepted part may be written after its session was closed
			}
			if e.session == s.id && !slices.ContainsFunc(saved, func(d consent.Decision) bool { return original(d.Call) == e.request.subject }) {
				return fmt.Errorf("session %s has no decision about %s", s.id, e.request.subject)
			}
		}
	}
	return nil
}

// readDecisions reads the decisions that are saved in sessions.
func (w *World) readDecisions(from journal.Store) {
	w.decisions = make(map[string][]consent.Decision)
	for _, s := range w.sessions {
		for r, err := range from.Read(s.id, 1) {
			if errors.Is(err, journal.ErrNotFound) {
				break
			}
			if err != nil && (s.deleted || s.unclear || s.unsaved) {
				break // its file may be cut off
			}
			if err != nil {
				w.leftovers = append(w.leftovers, fmt.Sprintf("session %s, which can't be read: %v", s.id, err))
				break
			}
			w.decisions[s.id] = append(w.decisions[s.id], decisionIn(r)...)
		}
	}
}

// decisionIn returns the decision in a record, if there is one.
func decisionIn(r journal.Record) []consent.Decision {
	var d consent.Decision
	if r.Type != journal.TypeDecision || exactjson.Unmarshal(r.Data, &d) != nil {
		return nil
	}
	return []consent.Decision{d}
}
