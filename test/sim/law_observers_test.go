package sim

import (
	"fmt"
	"slices"
)

// observersLaw: a client that only watches gets no requests and changes nothing.
type observersLaw struct {
	prompts map[string]string // by turn: the observer that made the prompt
}

func newObservers() law { return &observersLaw{make(map[string]string)} }

func (*observersLaw) name() string { return "observers change nothing" }

// changing are the requests that change a session.
var changing = []string{"session/prompt", "session/close", "session/delete", "_session/steering"}

func (l *observersLaw) see(w *World, e *event) error {
	switch {
	case e.kind == began && l.prompts[e.turn] != "":
		return fmt.Errorf("%s begins a turn for %s, which only watches", e.actor.agent.Name, l.prompts[e.turn])
	case e.kind == sent && e.turn != "" && e.client.watches(e.session):
		l.prompts[e.turn] = e.client.name
	case e.kind == shown && e.message.isRequest() && e.client.watches(e.session):
		return fmt.Errorf("%s is asked: %s", e.client.name, e.message.line)
	case e.kind == shown && e.call != nil && len(e.message.Error) == 0 && e.call.watched && !w.isForced(e) && slices.Contains(changing, e.call.method):
		return fmt.Errorf("%s succeeds with %s", e.client.name, e.call.method)
	}
	return nil
}

func (*observersLaw) end(*World) error { return nil }
