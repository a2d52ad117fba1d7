package sim

import (
	"math/rand/v2"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// addMore adds these steps to some plans.
func (p *Plan) addMore(r *rand.Rand) {
	if r.IntN(10) == 0 {
		p.Saved = 1 + r.IntN(2*journal.DefaultLimit)
		for range 3 {
			p.insertOne(r, Step{Op: opLeaf, A: r.Uint32()})
		}
	}
	if p.Servers > 1 && p.hasWindows() {
		for range r.IntN(4) {
			p.insertOne(r, randomStep(r, opMove))
		}
	}
	if p.Servers > 0 && r.IntN(3) == 0 {
		for range 1 + r.IntN(5) {
			p.insertOne(r, randomStep(r, opMute))
			p.insertOne(r, randomStep(r, opRejoin))
		}
	}
	for i := range p.Agents {
		if a := &p.Agents[i]; a.Kind == acpAgent && r.IntN(8) == 0 {
			a.Skills |= moody
		}
	}
	for _, add := range []struct {
		op             op
		seldom, number int
	}{{opBlunder, 6, 8}, {opOverhear, 5, 4}, {opLook, 6, 6}, {opPrune, 8, 3}, {opDiff, 8, 6}, {opSpy, 20, 1}} {
		if r.IntN(add.seldom) > 0 {
			continue
		}
		for range 1 + r.IntN(add.number) {
			p.insertOne(r, Step{Op: add.op, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
		}
	}
}
