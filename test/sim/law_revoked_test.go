package sim

import "fmt"

// revokedLaw: a client whose token was revoked is disconnected, and changes nothing.
type revokedLaw struct {
	world   *World
	prompts map[string]*client // by turn: the revoked client that made the prompt
}

func newRevoked() law { return &revokedLaw{prompts: make(map[string]*client)} }

func (*revokedLaw) name() string { return "revoked clients are disconnected" }

func (l *revokedLaw) see(w *World, e *event) error {
	l.world = w
	switch {
	case e.kind == sent && e.client.revoked && e.turn != "":
		l.prompts[e.turn] = e.client
	case e.kind == began && l.prompts[e.turn] != nil:
		return fmt.Errorf("%s begins %s for %s, whose token was revoked", e.actor.agent.Name, e.turn, l.prompts[e.turn].name)
	}
	return nil
}

// overdue implements [immediate].
func (l *revokedLaw) overdue() error {
	if l.world == nil {
		return nil
	}
	for _, c := range l.world.clients {
		if c.revoked && !c.gone && !c.troubled {
			return fmt.Errorf("%s is still connected", c.name)
		}
	}
	return nil
}

func (*revokedLaw) end(*World) error { return nil }
