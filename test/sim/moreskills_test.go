package sim

import (
	"math/rand/v2"
	"slices"
)

// moreSkills are the skills that [Plan.teachMore] teaches.
var moreSkills = []skills{shows, inquires, dawdles}

// teachMore gives a few agents further skills. Their clients can do more, too.
func (p *Plan) teachMore(r *rand.Rand) {
	for i := range p.Agents {
		a := &p.Agents[i]
		for _, one := range moreSkills {
			if r.IntN(8) == 0 && possible[a.Kind]&one != 0 {
				a.Skills |= one
				p.Steps = slices.Insert(p.Steps, 0, Step{Op: opArrive, A: uint32(i), B: r.Uint32(), C: r.Uint32()}, Step{Op: opNew}) //nolint:gosec // few agents
			}
		}
	}
	have := false
	for _, a := range p.Agents {
		have = have || slices.ContainsFunc(moreSkills, func(one skills) bool { return a.Skills&one != 0 })
	}
	if have {
		p.insertOne(r, Step{Op: opArrive, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
	}
}

// abler are the capabilities of clients that arrive.
var abler = []object{
	{
		"elicitation": object{"form": object{}, "url": object{}}, "plan": object{},
		"session": object{"notices": object{}, "compaction": object{}, "configOptions": object{"boolean": object{}}},
		"fs":      object{"readTextFile": true, "writeTextFile": true}, "terminal": true,
		"_meta": object{"terminal_output": true, "turnwire.dev/events": true},
	},
	{"elicitation": object{"form": object{}, "url": object{}}, "plan": object{}, "_meta": object{"terminal_output": true}},
	{"elicitation": object{"url": object{}}},
	{},
}

// arrive connects a client that can do more than most, or nothing special.
func (w *World) arrive(s *Step) string {
	if len(w.clients) >= maxClients {
		return ""
	}
	kind := [...]clientKind{editor, remote}[s.B%2]
	if w.nats != nil {
		kind = remote // an editor's own sessions are not shared
	}
	c := w.connectClient(w.pick(s.B/2), kind, &w.plan.Agents[s.A%uint32(len(w.plan.Agents))], abler[s.C%uint32(len(abler))]) //nolint:gosec // few agents
	return c.name + " arrives at " + c.server.name
}
