package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// consentLaw: an agent is permitted something only if a client that may decide selected
// an offered option that allows it, before any cancel of the turn arrived. After an
// agent received the cancel, it gets no permission.
type consentLaw struct {
	allowed  map[string]bool      // by request
	entering map[string][]*client // by turn: who sent a cancel that may not have arrived
	entered  map[string]bool      // by turn: a cancel has arrived
	heard    map[string]bool      // by turn: the agent has heard the cancel
	stopping []*event             // the cancels of AHP clients in this step
	// unread has the allowed requests of agents that aren't reading.
	unread map[string]*actor
	// before has, by client, the turns that it cancelled itself. Its later messages can't
	// overtake the cancel.
	before map[*client]map[string]bool
}

func newConsent() law {
	return &consentLaw{
		allowed: make(map[string]bool), entering: make(map[string][]*client), entered: make(map[string]bool), heard: make(map[string]bool),
		unread: make(map[string]*actor), before: make(map[*client]map[string]bool),
	}
}

func (*consentLaw) name() string { return "nothing is permitted without consent" }

func (l *consentLaw) see(w *World, e *event) error {
	switch {
	case e.kind == sent && e.request != nil && !e.client.revoked:
		turn := turnOf(e.request.subject)
		if l.consents(e) && !l.entered[turn] && !l.before[e.client][turn] {
			l.allowed[e.request.subject] = true
			if s := w.session(e.session); s != nil && s.running == turn && s.actor != nil && s.actor.in.isChoked() {
				l.unread[e.request.subject] = s.actor
			}
		}
	case e.kind == confirmed:
		l.allowed[e.subject] = l.allowed[e.subject] || e.allows && !l.entered[e.turn]
	case e.kind == sent && e.message.Method == "session/cancel":
		if s := w.session(e.session); s != nil && s.running != "" && e.client.controls(e.session) && s.isReached(e.client) {
			if l.before[e.client] == nil {
				l.before[e.client] = make(map[string]bool)
			}
			l.before[e.client][s.running] = true
			l.entering[s.running] = append(l.entering[s.running], e.client)
		}
	case e.kind == stopped && !e.mirror.isReturning(): // otherwise, its connection may break before
		if s := w.session(e.session); s != nil && s.running == e.turn {
			l.stopping = append(l.stopping, e)
		}
	case e.kind == reopened:
		l.reopened(w, e.session)
	case e.kind == cancelled && e.reason == "session/close":
		l.closed(e.turn)
	case e.kind == cancelled:
		l.heard[e.turn] = true
	case e.kind == decided && e.allows && !strings.HasPrefix(e.subject, "question-"):
		if !l.allowed[e.subject] && !w.ruled[e.subject] {
			return fmt.Errorf("%s is permitted %s, which nobody allowed in time", e.actor.agent.Name, e.subject)
		}
		if l.heard[e.turn] {
			return fmt.Errorf("%s is permitted %s after the cancel", e.actor.agent.Name, e.subject)
		}
	}
	return nil
}

// closed forgets what was allowed in a turn whose session is closed. A client that opens the
// session again, while the agent ignores that, is asked what the agent asks then.
func (l *consentLaw) closed(turn string) {
	maps.DeleteFunc(l.allowed, func(subject string, _ bool) bool { return turnOf(subject) == turn })
}

// reopened forgets the cancels of a session that the agent opens again. If it ignores them all, it
// may go on with its turns, and ask the clients that opened the session.
func (l *consentLaw) reopened(w *World, session string) {
	for turn, of := range w.prompted {
		if of != session {
			continue
		}
		delete(l.entered, turn)
		delete(l.entering, turn)
		delete(l.heard, turn)
		for _, turns := range l.before {
			delete(turns, turn)
		}
	}
}

// consents reports whether an answer allows a request.
func (*consentLaw) consents(e *event) bool {
	var answer struct {
		Outcome struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		} `json:"outcome"`
	}
	if e.part != nil && !e.part.all || len(e.message.Result) == 0 || e.request.withdrawn || e.client.watches(e.session) {
		return false
	}
	if err := exactjson.Unmarshal(e.message.Result, &answer); err != nil || answer.Outcome.Outcome != "selected" {
		return false
	}
	for _, o := range e.request.options {
		if o.ID == answer.Outcome.OptionID {
			return o.allows()
		}
	}
	return false
}

// settled implements [settler]: all cancels sent so far have arrived. They overtake
// permissions that the agent hasn't begun to read.
func (l *consentLaw) settled() {
	for _, e := range l.stopping {
		l.entered[e.turn] = l.entered[e.turn] || !e.mirror.gone // its connection may have broken before
	}
	l.stopping = nil
	for turn, by := range l.entering {
		l.entered[turn] = l.entered[turn] || slices.ContainsFunc(by, (*client).isHeard)
		if l.entered[turn] {
			delete(l.entering, turn)
		}
	}
	for subject, by := range l.unread {
		switch {
		case !by.in.isChoked():
			delete(l.unread, subject)
		case l.entered[turnOf(subject)]:
			delete(l.allowed, subject)
		}
	}
}

func (*consentLaw) end(*World) error { return nil }
