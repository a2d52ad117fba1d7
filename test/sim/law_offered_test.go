package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// offeredLaw: clients of a hub that control a session are asked what the others were asked,
// even if they attach later.
type offeredLaw struct {
	world *World
	open  map[string]*offer // by request
}

// An offer is a permission request that clients can answer.
type offer struct {
	session string
	by      *actor
	to      map[*client]bool // the clients that were asked
}

func newOffered() law { return &offeredLaw{open: make(map[string]*offer)} }

func (*offeredLaw) name() string { return "each client of a session is asked" }

func (l *offeredLaw) see(w *World, e *event) error {
	l.world = w
	switch {
	case e.kind == asked && !strings.HasPrefix(e.subject, "question-"):
		l.open[e.subject] = &offer{session: e.session, by: e.actor, to: make(map[*client]bool)}
	case e.kind == decided, e.kind == resolved:
		delete(l.open, e.subject)
	case e.kind == shown && e.request != nil && e.client.kind != editor:
		if o := l.open[e.request.subject]; o != nil {
			o.to[e.client] = true
		}
	case e.kind == shown && e.message.Method == "$/cancel_request", e.kind == sent && e.message.Method == "$/cancel_request":
		clear(l.open) // it is simpler to forget all than to find the right one
	case e.kind == sent && e.request != nil:
		delete(l.open, e.request.subject)
	case e.kind == confirmed:
		delete(l.open, e.subject)
	case e.kind == sent && slices.Contains(cancelling, e.message.Method) && !slices.Contains(opening, e.message.Method), e.kind == cancelled, e.kind == stopped:
		for subject, o := range l.open {
			if o.session == e.session {
				delete(l.open, subject)
			}
		}
	case e.kind == fenced:
		// The session's new owner shows the turn as interrupted, and what was asked in it as decided
		// by nobody. An AG-UI server isn't told, because it doesn't wait for the answer.
		maps.DeleteFunc(l.open, func(_ string, o *offer) bool { return o.session == e.session && o.by.server == e.server })
	}
	return nil
}

// overdue implements [immediate].
func (l *offeredLaw) overdue() error {
	for _, subject := range sortedKeys(l.open) {
		o := l.open[subject]
		if len(o.to) == 0 || !l.world.isPrompt() || o.by.ctx.Err() != nil || !l.world.isRunning(o.by.server) {
			continue
		}
		for _, c := range l.world.clients {
			if c.kind == remote && c.controls(o.session) && !o.to[c] && !c.gone && !c.leaving && !c.troubled {
				return fmt.Errorf("%s is not asked about %s", c.name, subject)
			}
		}
	}
	return nil
}

func (*offeredLaw) end(*World) error { return nil }
