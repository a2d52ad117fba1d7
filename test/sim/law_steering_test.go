package sim

import (
	"fmt"
	"slices"
	"strings"
)

// steeringLaw: a message for the running turn reaches the agent at most once, in the turn or as
// a prompt, and its sender is told which. If the turn is cancelled, the sender is told that, and
// the agent may have read the message a moment before. So it may if the server that has the
// session stops. Other clients are shown a message that the agent read in the turn, once, even
// after a restart.
type steeringLaw struct {
	sent      map[string]*client   // by message
	sessions  map[string]string    // by message
	read      map[string]string    // by message: how the agent got it
	outcome   map[string]string    // by message: what the sender was told
	cancels   map[string][]*client // by session: who has sent a cancel that may not have arrived yet
	cancelled map[string]bool      // by message: a cancel may have arrived since the agent read it
	stops     map[string]int       // by message: how many servers had been stopped when it was sent
}

func newSteering() law {
	return &steeringLaw{make(map[string]*client), make(map[string]string), make(map[string]string), make(map[string]string), make(map[string][]*client), make(map[string]bool), make(map[string]int)}
}

func (*steeringLaw) name() string { return "messages for a turn reach the agent once" }

// These are the outcomes of messages.
const (
	injected = "injected"
	newTurn  = "startedNewTurn"
	failed   = "an error"
)

// endedElsewhere is in the answer to a request whose outcome only another server knows, which
// has stopped.
const endedElsewhere = "the session ended here"

func (l *steeringLaw) see(w *World, e *event) error {
	switch {
	case e.kind == sent && e.call != nil && e.call.steers != "":
		l.sent[e.call.steers], l.sessions[e.call.steers], l.stops[e.call.steers] = e.client, e.session, w.stops
	case e.kind == sent && slices.Contains(cancelling, e.message.Method):
		l.cancels[e.session] = append(l.cancels[e.session], e.client)
		l.cancel(e.session)
	case e.kind == sent && e.message.Method == "$/cancel_request":
		if c := e.client.calls[string(e.message.params.RequestID)]; c != nil {
			l.cancels[c.session] = append(l.cancels[c.session], e.client)
			l.cancel(c.session)
		}
	case e.kind == stopped:
		l.cancel(e.session)
	case e.kind == steered:
		l.cancelled[e.subject] = l.cancelled[e.subject] || len(l.cancels[l.sessions[e.subject]]) > 0
		return l.reads(e, e.subject, injected)
	case e.kind == began && l.sent[e.turn] != nil && e.again == 0:
		return l.reads(e, e.turn, newTurn)
	case e.kind == shown && e.call != nil && e.call.steers != "":
		l.cancelled[e.call.steers] = l.cancelled[e.call.steers] || w.stops > l.stops[e.call.steers] // which cancels turns
		return l.answered(e)
	case e.kind == rested:
		return l.compare(w)
	}
	return nil
}

// cancel records a cancel of the running turn.
func (l *steeringLaw) cancel(session string) {
	for message := range l.sessions {
		l.cancelled[message] = l.cancelled[message] || l.sessions[message] == session
	}
}

// settled implements [settler].
func (l *steeringLaw) settled() {
	for session, by := range l.cancels {
		l.cancels[session] = slices.DeleteFunc(by, (*client).isHeard)
	}
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
		if isGoing(e) || e.client.leaving || e.client.kind == traveller {
			return nil // the message may still reach the agent
		}
		outcome = failed
	}
	l.outcome[message] = outcome
	switch how := l.read[message]; {
	case how == "" && outcome == injected:
		return fmt.Errorf("%s is told that the agent has read %s, but it has not", e.client.name, message)
	case how == injected && outcome == failed && l.cancelled[message] && strings.Contains(e.message.line, "-32800"):
	case how == injected && outcome == failed && strings.Contains(e.message.line, endedElsewhere):
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
