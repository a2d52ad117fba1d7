package sim

import (
	"fmt"
	"slices"
)

// askedLaw: a server's client that has left a session is no longer asked anything in it. On
// stdio, the agent gets the answer of the only client.
type askedLaw struct{}

func newAsked() law { return askedLaw{} }

func (askedLaw) name() string { return "clients that leave a session are no longer asked" }

func (askedLaw) see(_ *World, e *event) error {
	if e.kind != shown || e.call == nil || len(e.message.Error) > 0 || e.client.kind == editor {
		return nil
	}
	if e.call.method != "session/detach" && e.call.method != "session/close" {
		return nil
	}
	for _, r := range e.client.requests {
		asks := slices.Contains([]string{"session/request_permission", "elicitation/create"}, r.method)
		if asks && r.session == e.session && !r.withdrawn {
			return fmt.Errorf("%s has left %s, but is still asked %s", e.client.name, e.session, r.subject)
		}
	}
	return nil
}

func (askedLaw) end(*World) error { return nil }
