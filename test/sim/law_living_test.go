package sim

import (
	"fmt"
	"time"
)

// livingLaw: a server that lives keeps its sessions, however long NATS is down. It loses them only
// if another server reaches NATS for as long as a lease without it.
type livingLaw struct{}

func newLiving() law { return livingLaw{} }

func (livingLaw) name() string { return "a living server keeps its sessions" }

func (livingLaw) see(w *World, e *event) error {
	s := w.session(e.session)
	if e.kind != fenced || s == nil || s.deleted || s.unclear || e.server.killed {
		return nil
	}
	// It may have renewed its lease a while before it lost NATS.
	if alone := e.server.longestAlone(); alone < lease-renews {
		return fmt.Errorf("%s loses session %s, but the other server was never without it for more than %s", e.server.name, e.session, alone)
	}
	return nil
}

func (livingLaw) end(*World) error { return nil }

// An absence is how long a server was cut off from NATS while another one was not.
type absence struct {
	since   time.Time // zero if it is over
	longest time.Duration
}

// noteAbsences is called when a server begins or ends, or loses or reaches NATS. The caller holds
// the lock.
func (w *World) noteAbsences() {
	for _, s := range w.servers() {
		present := false
		for _, other := range w.servers() {
			present = present || other != s && (!other.isolated || other.muted) // NATS hears it
		}
		switch alone := s.isolated && present; {
		case alone && s.absence.since.IsZero():
			s.absence.since = time.Now()
		case !alone:
			s.absence = absence{longest: s.longestAlone()}
		}
	}
}

// longestAlone returns the duration of the server's longest absence. The caller holds the lock.
func (s *server) longestAlone() time.Duration {
	if s.absence.since.IsZero() {
		return s.absence.longest
	}
	return max(s.absence.longest, time.Since(s.absence.since))
}
