package sim

import "fmt"

// greetingLaw: what an ACP agent sends about a new session before its response reaches the
// client after the response.
type greetingLaw struct {
	world    *World
	expected map[string]bool    // by session: its agent sent the greeting
	due      map[string]*client // by session: the client that opened it
}

func newGreeting() law {
	return &greetingLaw{expected: make(map[string]bool), due: make(map[string]*client)}
}

func (*greetingLaw) name() string { return "early updates reach the client" }

func (l *greetingLaw) see(w *World, e *event) error {
	l.world = w
	switch {
	case e.kind == greeted:
		l.expected[e.session] = true
	case e.kind == shown && e.call != nil && e.call.method == "session/new":
		if id := e.message.result.SessionID; l.expected[id] {
			l.due[id] = e.client
		}
	case e.kind == shown && e.message.params.Update.Type == greeting:
		if l.due[e.session] == e.client {
			delete(l.due, e.session)
		}
	case e.kind == sent && e.session != "":
		delete(l.due, e.session) // it may close the session at once
	}
	return nil
}

// overdue implements [immediate].
func (l *greetingLaw) overdue() error {
	for _, id := range sortedKeys(l.due) {
		if c := l.due[id]; l.world.isPrompt() && !c.troubled && !c.gone && !c.leaving && !c.server.killed {
			return fmt.Errorf("%s is not shown what the agent sent about the new session %s", c.name, id)
		}
		delete(l.due, id)
	}
	return nil
}

func (*greetingLaw) end(*World) error { return nil }
