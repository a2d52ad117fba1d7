package sim

import (
	"maps"
	"math/rand/v2"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// The kinds of steps of clients and operators that are rare in real life, too.
const (
	opBlunder  op = 120 + iota // a client sends what no client should send
	opOverhear                 // … attaches to a session and gets its history in the response
	opLook                     // the operator lists the open sessions
	opPrune                    // … deletes old sessions
	opLeaf                     // a client lists all sessions, page after page
	opDiff                     // an AHP client opens the diff of an edit
	opSpy                      // … connects, but its token can only watch
	opMove                     // … connects to another server than before
	opMute                     // a server gets no answers from NATS
)

// moreOps are these kinds of steps, with their actions.
var moreOps = map[op]stepKind{
	opBlunder:  {"blunder", withClient(blunder)},
	opOverhear: {"overhear", withSession(overhear)},
	opLook:     {"look", (*World).look},
	opPrune:    {"prune", (*World).prune},
	opLeaf:     {"leaf", withClient(leaf)},
	opDiff:     {"diff", (*World).openDiff},
	opSpy:      {"spy", (*World).spy},
	opMove:     {"move", (*World).move},
	opMute:     {"mute", (*World).mute},
}

func init() { //nolint:gochecknoinits // each file has its own kinds of steps
	maps.Copy(ops, moreOps)
}

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
