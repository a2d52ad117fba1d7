package sim

import "fmt"

// closedLaw: after an editor has closed a session, the session takes no prompts until the
// editor opens it again. Other clients of a hub may keep a session open.
type closedLaw struct {
	closed  map[*client]map[string]bool // by editor and session
	closing map[*client]map[string]bool // sessions whose end an editor has requested last
	refused map[string]*client          // by turn: the editor whose prompt must fail
}

func newClosed() law {
	return &closedLaw{make(map[*client]map[string]bool), make(map[*client]map[string]bool), make(map[string]*client)}
}

func (*closedLaw) name() string { return "closed sessions take no prompts" }

func (l *closedLaw) see(_ *World, e *event) error {
	switch {
	case e.kind == began && l.refused[e.turn] != nil:
		return fmt.Errorf("%s begins %s in a session that %s has closed", e.actor.agent.Name, e.turn, l.refused[e.turn].name)
	case e.client == nil || e.client.kind != editor || e.call == nil:
	case e.call.method == "session/close" || e.call.method == "session/delete":
		if l.closed[e.client] == nil {
			l.closed[e.client], l.closing[e.client] = make(map[string]bool), make(map[string]bool)
		}
		if e.kind == sent {
			l.closing[e.client][e.session] = true
		} else if len(e.message.Error) == 0 && l.closing[e.client][e.session] {
			l.closed[e.client][e.session] = true
		}
	case e.kind == sent && (e.call.method == "session/load" || e.call.method == "session/resume"):
		delete(l.closed[e.client], e.session)
		delete(l.closing[e.client], e.session)
	case e.kind == sent && e.turn != "" && l.closed[e.client][e.session]:
		l.refused[e.turn] = e.client
	}
	return nil
}

func (*closedLaw) end(*World) error { return nil }
