package sim

import (
	"fmt"
	"strings"
)

// steeringLaw: a message for the running turn reaches the agent at most once, in the turn or as
// a prompt, and its sender is told which. Other clients are shown a message that the agent
// read in the turn, once, even after a restart.
type steeringLaw struct {
	sent     map[string]*client // by message
	sessions map[string]string  // by message
	read     map[string]string  // by message: how the agent got it
	outcome  map[string]string  // by message: what the sender was told
}

func newSteering() law {
	return &steeringLaw{make(map[string]*client), make(map[string]string), make(map[string]string), make(map[string]string)}
}

func (*steeringLaw) name() string { return "messages for a turn reach the agent once" }

// These are the outcomes of messages.
const (
	injected = "injected"
	newTurn  = "startedNewTurn"
	failed   = "an error"
)

func (l *steeringLaw) see(w *World, e *event) error {
	switch {
	case e.kind == sent && e.call != nil && e.call.steers != "":
		l.sent[e.call.steers], l.sessions[e.call.steers] = e.client, e.session
	case e.kind == steered:
		return l.reads(e, e.subject, injected)
	case e.kind == began && l.sent[e.turn] != nil && e.again == 0:
		return l.reads(e, e.turn, newTurn)
	case e.kind == shown && e.call != nil && e.call.steers != "":
		return l.answered(e)
	case e.kind == rested:
		return l.compare(w)
	}
	return nil
}

// reads records that the agent got a message.
func (l *steeringLaw) reads(e *event, message, how string) error {
	if before := l.read[message]; before != "" {
		return fmt.Errorf("%s gets %s twice: %s, %s", e.actor.agent.Name, message, before, how)
	}
	l.read[message] = how
	switch told := l.outcome[message]; told {
	case "", how:
		return nil
	case failed:
		if how == injected {
			return nil // it was cancelled on its way
		}
		fallthrough
	default:
		return fmt.Errorf("%s gets %s (%s), but the answer was %s", e.actor.agent.Name, message, how, told)
	}
}

// answered checks what the sender is told.
func (l *steeringLaw) answered(e *event) error {
	message := e.call.steers
	outcome := strings.Trim(string(e.message.result.Outcome), `"`)
	if len(e.message.Error) > 0 {
		if isGoing(e) || e.client.kind == traveller {
			return nil // the message may still reach the agent
		}
		outcome = failed
	}
	l.outcome[message] = outcome
	switch how := l.read[message]; {
	case how == "" && outcome == injected:
		return fmt.Errorf("%s is told that the agent has read %s, but it has not", e.client.name, message)
	case how != "" && how != outcome:
		return fmt.Errorf("%s is told %s about %s, but the agent got it: %s", e.client.name, outcome, message, how)
	}
	return nil
}

// compare returns an error if a client was not shown a message that the agent read.
func (l *steeringLaw) compare(w *World) error {
	for _, message := range sortedKeys(l.read) {
		id := l.sessions[message]
		s := w.session(id)
		if l.read[message] != injected || l.outcome[message] != injected || s == nil || s.deleted || s.unclear || s.unsaved {
			continue
		}
		for _, c := range w.clients {
			if v := c.views[id]; v != nil && v.full && !v.unclear && !c.gone && c != l.sent[message] && v.prompts[message] == 0 {
				return fmt.Errorf("%s is not shown %s, which the agent has read", c.name, message)
			}
		}
	}
	return nil
}

func (*steeringLaw) end(*World) error { return nil }
