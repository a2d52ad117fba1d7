package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// look lets the operator list the open sessions, as "turnwire sessions live" does.
func (w *World) look(s *Step) string {
	w.settle()
	at := w.pick(s.A)
	for i := range w.plan.Agents {
		a := &w.plan.Agents[i]
		open := at.hubs[a.Name].Sessions()
		active := make(map[string]int)
		for _, one := range open {
			active[one.ID] = at.hubs[a.Name].Active(one.ID)
		}
		w.mu.Lock()
		err := w.checkOpen(at, a, open, active)
		w.mu.Unlock()
		if err != nil {
			w.fail("the operator sees what is open", err)
		}
	}
	return "the operator lists the open sessions of " + at.name
}

// checkOpen compares a list of open sessions with what clients know. The caller holds the lock.
func (w *World) checkOpen(at *server, a *agentSpec, open []hub.Info, active map[string]int) error {
	for _, c := range w.clients {
		if c.server != at || c.agent != a || c.kind == editor || c.kind == traveller {
			continue
		}
		for _, one := range open {
			if c.gone && c.toServer.isEmpty() && w.isPrompt() && slices.Contains(one.Clients, c.name) {
				return fmt.Errorf("%s is listed in session %s, but disconnected", c.name, one.ID)
			}
		}
		for _, id := range sortedKeys(c.views) {
			if !c.isSettledIn(id) {
				continue
			}
			i := slices.IndexFunc(open, func(one hub.Info) bool { return one.ID == id })
			switch {
			case i < 0:
				return fmt.Errorf("session %s of %s is not listed", id, c.name)
			case !slices.Contains(open[i].Clients, c.name):
				return fmt.Errorf("%s is not listed in session %s", c.name, id)
			case c.controls(id) && active[id] == 0 || active[id] > len(open[i].Clients):
				return fmt.Errorf("%d clients can answer in session %s: %v", active[id], id, open[i].Clients)
			case c.asks(id) > open[i].Waiting:
				return fmt.Errorf("%d requests wait in session %s, but %s got %d", open[i].Waiting, id, c.name, c.asks(id))
			}
		}
	}
	return nil
}

// isSettledIn reports whether the client is certainly attached to a session.
func (c *client) isSettledIn(session string) bool {
	for _, one := range c.calls {
		if one.open && one.session == session && one.turn == "" {
			return false
		}
	}
	v := c.views[session]
	return v != nil && v.ready && !c.gone && !c.leaving && !c.troubled && !c.revoked && c.isHeard() && c.world.isPrompt()
}

// asks returns how many of a session's requests wait for the client.
func (c *client) asks(session string) (n int) {
	for _, r := range c.requests {
		if r.session == session && !r.withdrawn {
			n++
		}
	}
	return n
}

// prune lets the operator delete old sessions, as "turnwire sessions prune" does.
func (w *World) prune(s *Step) string {
	at := w.pick(s.A)
	w.mu.Lock()
	able := w.isPrompt() && !w.full
	w.mu.Unlock()
	if !able {
		return ""
	}
	var store journal.Keeper = journal.NewFolderIn(at.disk, "/sessions")
	if w.nats != nil {
		shared, err := natsstore.Open(context.Background(), natsstore.Config{URL: "nats://127.0.0.1:4222", Dial: w.nats.Link().Dial})
		if err != nil {
			w.fail("the operator reaches the store", err)
			return ""
		}
		defer func() { _ = shared.Close() }() // it was only used here
		store = shared
	}
	r := journal.Retention{
		Age:   [...]time.Duration{time.Minute, 10 * time.Minute, time.Hour, 0}[s.B%4],
		Bytes: [...]int64{0, 0, 1000, 20000}[s.C%4],
	}
	outdated, err := store.Outdated(r, at.disk.Now())
	if err == nil {
		_, err = journal.Prune(store, r, at.disk.Now())
	}
	if err != nil {
		w.fail("old sessions can be deleted", err)
	}
	deleted := 0
	for _, one := range outdated {
		if _, err := store.Describe(one.ID); errors.Is(err, journal.ErrNotFound) {
			deleted++
			w.see(&event{kind: pruned, session: one.ID, age: r.Age, limited: r.Bytes > 0})
			w.forget(one.ID, one.Agent)
		}
	}
	return fmt.Sprintf("the operator deletes %d old sessions", deleted)
}

// forget records that a session was deleted.
func (w *World) forget(id, agent string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s := w.session(id); s != nil {
		s.deleted = s.agent.Skills&keeps == 0
		s.unclear = !s.deleted // the agent still has it
	}
	w.olds = slices.DeleteFunc(w.olds, func(old string) bool { return old == id })
	for _, c := range w.creations {
		c.disposed = c.disposed || c.id == id || c.name == id || c.agent.Name == agent && c.agent.Skills&(dawdles|odd) != 0 // its id is not known, or the agent has another one since it lost it
	}
}
