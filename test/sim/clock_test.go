package sim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// setClocks sets the clocks in some worlds, most often before a server starts again.
func (p *Plan) setClocks(r *rand.Rand) {
	if r.IntN(6) > 0 {
		return
	}
	for i := range p.Steps {
		switch next := i + 1; {
		case i <= 2 || next == len(p.Steps):
		case r.IntN(30) == 0, (p.Steps[next].Op == opRestart || p.Steps[next].Op == opKill) && r.IntN(2) == 0:
			p.Steps[i].Op = opClock
		}
	}
}

// setClock sets the clock of a server's machine forward or back, by up to two hours, or back by
// years, as if its battery were empty. The time in which timers are measured goes on as it did.
func (w *World) setClock(s *Step) string {
	to := w.pick(s.A)
	by := time.Duration(s.B%(4*3600)+1)*time.Second - 2*time.Hour
	if s.C%4 == 0 && w.nats == nil && !w.plan.fills() { // otherwise, the numbers that AHP clients know may not be saved
		by = -2 * 365 * 24 * time.Hour
	}
	to.disk.Step(by)
	return "the clock of " + to.name + " is set by " + by.String()
}

// fills reports whether the disk may be full at some time.
func (p *Plan) fills() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Op == opFill })
}
