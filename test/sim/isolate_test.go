package sim

import (
	"slices"
	"time"
)

// rejoins is how long servers may need, after the network is repaired, until they reach NATS
// and each other, and have saved what they held back.
const rejoins = 30 * time.Second

// A server that is cut off keeps its sessions for a lease, which it renews at an interval.
const (
	lease  = time.Minute
	renews = 20 * time.Second // each renewal costs real time
)

// isolate cuts a server off from NATS.
func (w *World) isolate(s *Step) string {
	if !w.mayLoseNATS() {
		return ""
	}
	to := w.pick(s.A)
	if to.isolated {
		return ""
	}
	to.leave()
	to.link.Cut(true)
	return to.name + " is cut off from NATS"
}

// mayLoseNATS reports whether a server can lose NATS. Two servers that don't hear of each other may
// both open a session that its agent saves, each in its own process of the agent. Neither knows
// of the other's turns then.
func (w *World) mayLoseNATS() bool {
	return w.nats != nil && (w.second == nil || !slices.ContainsFunc(w.plan.Agents, func(a agentSpec) bool { return a.Skills&keeps != 0 }))
}

// mute lets a server reach NATS, but not hear of it, until its connection breaks.
func (w *World) mute(s *Step) string {
	if !w.mayLoseNATS() {
		return ""
	}
	to := w.pick(s.A)
	if to.isolated {
		return ""
	}
	to.muted = true
	to.leave()
	to.link.Mute(true)
	return to.name + " gets no answers from NATS"
}

// isReached reports whether what a client sends can reach the session's running turn. A server that
// was cut off may still believe that it has the session, and a client that has not read everything
// may not know that it has lost it meanwhile. The caller holds the lock.
func (s *session) isReached(by *client) bool {
	if s.actor == nil || s.actor.server == by.server {
		return true
	}
	if by.world.hadOutage() && (by.fromServer.isChoked() || !by.fromServer.isEmpty()) {
		return false
	}
	v := by.views[s.id]
	return by.world.isJoined() && (v == nil || !v.lost)
}

// loses records that another server has taken over a session. The caller holds the lock.
func (s *server) loses(id string) {
	for _, c := range s.world.clients {
		if v := c.views[id]; v != nil && c.server == s {
			v.lost = true
		}
	}
}

// hadOutage reports whether a server could not reach NATS at some time. The caller holds the
// lock.
func (w *World) hadOutage() bool {
	return slices.ContainsFunc(append(w.servers(), w.old...), func(s *server) bool { return !s.left.IsZero() })
}

// leave records that the server can't reach NATS.
func (s *server) leave() {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.isolated, s.left = true, time.Now()
	s.world.noteAbsences()
}

// rejoin lets a server reach NATS again.
func (w *World) rejoin(s *Step) string {
	to := w.pick(s.A)
	if !to.isolated {
		return ""
	}
	to.repair()
	return to.name + " reaches NATS again"
}

// repair repairs the server's network.
func (s *server) repair() {
	if s.link == nil {
		return
	}
	s.world.mu.Lock()
	if s.isolated {
		s.isolated, s.joined = false, time.Now()
		s.world.rejoined = true
		s.world.noteAbsences()
	}
	s.world.mu.Unlock()
	s.link.Cut(s.muted) // it doesn't get what was held back
	s.muted = false
	s.link.Cut(false)
	s.link.Stall(false)
}

// isJoined reports whether the server certainly reaches NATS, and has saved everything. The
// caller holds the world's lock.
func (s *server) isJoined() bool { return !s.isolated && time.Since(s.joined) > rejoins }

// isJoined reports whether all servers certainly reach each other. The caller holds the lock.
func (w *World) isJoined() bool {
	for _, s := range w.servers() {
		if !s.isJoined() {
			return false
		}
	}
	return w.second == nil || time.Since(w.died) > rejoins
}

// loseShared records what may not be saved, because a server that ends had no store.
func (w *World) loseShared(by *server) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sessions {
		s.unsaved = s.unsaved || !by.isJoined()
	}
}

// noteTakeover records that another server may take over a session whose server is cut off.
// Then nothing from the interim is saved. The caller holds the lock.
func (w *World) noteTakeover(by *server, id string) {
	if s := w.session(id); s != nil && w.second != nil {
		for _, other := range w.servers() {
			s.unsaved = s.unsaved || other != by && !other.isJoined()
		}
	}
}

// noteLost records that another server has taken over a session from one that was cut off until
// its lease had expired. Nothing from the interim is saved. A host does that without being asked:
// it opens a session again that was lost, if a client follows its chat.
func (s *server) noteLost(id string) {
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	if of := s.world.session(id); of != nil && !s.isJoined() && time.Since(s.left) > lease-renews {
		of.unsaved = true
	}
}
