package sim

import "fmt"

// answeredRequests: each request from an agent is answered exactly once, unless the agent
// died. [actor.answered] refuses a second answer.
type answeredRequests struct{ open map[string]*actor }

func newAnsweredRequests() law { return &answeredRequests{make(map[string]*actor)} }

func (*answeredRequests) name() string { return "each request of an agent is answered once" }

func (l *answeredRequests) see(_ *World, e *event) error {
	switch e.kind {
	case asked:
		l.open[e.subject] = e.actor
	case decided, resolved:
		delete(l.open, e.subject)
	case rested:
		for _, subject := range sortedKeys(l.open) {
			if by := l.open[subject]; by.ctx.Err() == nil && !by.server.killed && by.hears(turnOf(subject)) {
				return fmt.Errorf("%s never gets an answer to %s", by.agent.Name, subject)
			}
		}
	}
	return nil
}

func (*answeredRequests) end(*World) error { return nil }
