package sim

import (
	"math/rand/v2"
	"slices"
)

// moreSkills are the skills that [Plan.teachMore] teaches.
var moreSkills = []skills{shows, inquires, learns, dawdles, errs}

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
	p.teachAnnouncing(r)
	have := false
	for _, a := range p.Agents {
		have = have || slices.ContainsFunc(moreSkills, func(one skills) bool { return a.Skills&one != 0 })
	}
	if have {
		p.insertOne(r, Step{Op: opArrive, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
	}
}

// insertMore adds steps to some plans. Where agents ask much, clients answer much.
func (p *Plan) insertMore(r *rand.Rand) {
	for _, add := range []struct {
		op             op
		seldom, number int
	}{{opMisuse, 5, 6}, {opEnclose, 5, 4}, {opInstruct, 6, 3}} {
		if r.IntN(add.seldom) == 0 {
			for range 1 + r.IntN(add.number) {
				p.insertOne(r, randomStep(r, add.op))
			}
		}
	}
	for _, a := range p.Agents {
		if a.Skills&learns != 0 {
			p.Steps = slices.Insert(p.Steps, 1, randomStep(r, opInstruct))
		}
		if a.Skills&announces != 0 {
			p.insertPolls(r)
		}
		if a.Skills&inquires == 0 {
			continue
		}
		p.insertOne(r, randomStep(r, opReflect))
		p.insertOne(r, randomStep(r, opReflect))
		for range 3 + r.IntN(5) {
			at := 3 + r.IntN(len(p.Steps)-3)
			p.Steps = slices.Insert(p.Steps, at,
				randomStep(r, opPrompt), randomStep(r, opWait), randomStep(r, opAnswer), randomStep(r, opAnswer), randomStep(r, [...]op{opTell, opConfirm}[r.IntN(2)]))
		}
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
	a := &w.plan.Agents[s.A%uint32(len(w.plan.Agents))] //nolint:gosec // few agents
	if w.nats != nil || a.Skills&keeps != 0 {
		kind = remote // an editor's own sessions are not shared
	}
	c := w.connectClient(w.pick(s.B/2), kind, a, abler[s.C%uint32(len(abler))]) //nolint:gosec // few agents
	return c.name + " arrives at " + c.server.name
}
