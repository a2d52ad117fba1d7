package sim

import (
	"math/rand/v2"
	"slices"
)

// windowFrequencies says how often the steps are added.
var windowFrequencies = [...]struct {
	op     op
	weight int
}{
	{opCreate, 4}, {opDispose, 1}, {opFollow, 4}, {opUnfollow, 2}, {opRefresh, 3}, {opReconnect, 6}, {opNap, 3}, {opEnqueue, 9}, {opArrange, 5},
	{opBring, 4}, {opReturn, 4}, {opBrowse, 5}, {opTell, 5}, {opErr, 4}, {opReflect, 3}, {opSay, 5}, {opConfirm, 5}, {opStop, 2}, {opAct, 5}, {opQuery, 3}, {opWait, 12}, {opRestart, 1}, {opSlow, 3}, {opKill, 1},
}

// openWindows adds steps of AHP clients to some worlds. In some of these, a chat has only few
// turns that needn't be fetched.
func (p *Plan) openWindows(r *rand.Rand) {
	if r.IntN(5) > 0 {
		return
	}
	if r.IntN(2) == 0 {
		p.ChatBytes = 300 + r.IntN(3000)
	}
	total := 0
	for _, f := range windowFrequencies {
		total += f.weight
	}
	const begin = 3
	p.Steps = slices.Insert(p.Steps, begin, randomStep(r, opCreate), randomStep(r, opCreate))
	for range 15 + r.IntN(30) {
		n := r.IntN(total)
		for _, f := range windowFrequencies {
			if n -= f.weight; n < 0 {
				p.Steps = slices.Insert(p.Steps, begin+2+r.IntN(len(p.Steps)-begin-1), randomStep(r, f.op))
				break
			}
		}
	}
}

func randomStep(r *rand.Rand, kind op) Step {
	return Step{Op: kind, A: r.Uint32(), B: r.Uint32(), C: r.Uint32(), Together: r.IntN(5) == 0}
}
