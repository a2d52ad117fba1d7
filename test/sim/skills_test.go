package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// skills are what an agent does besides what all agents do.
type skills int

const (
	edits     skills = 1 << iota // changes files, if it is permitted
	odd                          // makes mistakes of real agents; ACP only
	listens                      // takes messages during a turn in several ways
	helps                        // has sub-agents; native only
	asks                         // uses the client's files and terminals; native only
	forgets                      // can go back to an earlier message; native agents are also told the conversation when they start
	rambles                      // says more than a server keeps in memory, once in a world
	shows                        // shows its work in every way
	inquires                     // asks with forms and pages, and in ways that confuse; native only
	dawdles                      // starts slowly, or fails to, a few times; ACP only
	learns                       // uses the client's instructions and servers, and remembers sessions; native only
	errs                         // makes mistakes that are repaired for each agent; ACP only
	moody                        // has modes, but no options; ACP only
	keeps                        // saves its sessions itself; ACP only
	announces                    // sends events and requests that belong to no session; ACP only
)

// taught counts the skills that [Plan.teach] teaches; [Plan.teachMore] teaches the others.
const taught = 7

// skillNames are the names of skills in a plan's text.
var skillNames = []string{"edits", "odd", "listens", "helps", "asks", "forgets", "rambles", "shows", "inquires", "dawdles", "learns", "errs", "moody", "keeps", "announces"}

func (k skills) String() string {
	var names []string
	for i, name := range skillNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// parseSkills parses the names of skills.
func parseSkills(text string) (k skills, err error) {
	for i, name := range skillNames {
		if strings.Contains(","+text+",", ","+name+",") {
			k |= 1 << i
		}
	}
	if k.String() != text {
		return 0, fmt.Errorf("unknown skills %q", text)
	}
	return k, nil
}

// possible are the skills of each kind of agent.
var possible = map[agentKind]skills{
	nativeAgent: edits | listens | helps | asks | forgets | rambles | shows | inquires | learns,
	acpAgent:    edits | odd | listens | forgets | rambles | shows | dawdles | errs | announces,
	aguiAgent:   0, agentaoAgent: 0,
}

// teach gives some agents skills.
func (p *Plan) teach(r *rand.Rand) {
	for i := range p.Agents {
		n := skills(r.IntN(1 << taught))
		if r.IntN(3) == 0 {
			p.Agents[i].Skills = n & possible[p.Agents[i].Kind]
		}
		if r.IntN(20) > 0 { // it takes long
			p.Agents[i].Skills &^= rambles
		}
	}
}

// insert adds steps to some plans: those of an operator, and those that need an agent with a
// skill.
func (p *Plan) insert(r *rand.Rand) {
	var have skills
	for _, a := range p.Agents {
		have |= a.Skills
	}
	for _, add := range []struct {
		op             op
		seldom, number int
		skill          skills
	}{{opRule, 4, 6, 0}, {opRevoke, 6, 2, 0}, {opSteer, 1, 6, listens}, {opRewind, 1, 6, forgets}, {opAbandon, 1, 4, asks}} {
		if r.IntN(add.seldom) > 0 || have&add.skill != add.skill {
			continue
		}
		for range 1 + r.IntN(add.number) {
			p.insertOne(r, Step{Op: add.op, A: r.Uint32(), B: r.Uint32(), C: r.Uint32()})
		}
	}
	for _, special := range []struct {
		skill skills
		can   uint32
	}{{helps, 3}, {asks, 2}} { // an editor that shows sub-agents as sessions, and one that has files and terminals
		if have&special.skill != 0 {
			p.Steps = slices.Insert(p.Steps, 0, Step{Op: opConnect, A: p.who(special.skill), B: 24 + 6, C: 2 * special.can}, Step{Op: opNew})
		}
	}
	for _, kind := range [...]uint32{0, 1} { // an editor and another client that can do everything
		if have != 0 {
			p.Steps = slices.Insert(p.Steps, 0, Step{Op: opConnect, A: r.Uint32(), B: 24 + 6 + kind, C: 4 + r.Uint32()%2})
		}
	}
}

// who returns the number of the first agent with a skill.
func (p *Plan) who(has skills) uint32 {
	n := slices.IndexFunc(p.Agents, func(a agentSpec) bool { return a.Skills&has != 0 })
	return uint32(n) //nolint:gosec // few agents
}

// insertOne adds a step at a random place after the first ones.
func (p *Plan) insertOne(r *rand.Rand, s Step) {
	p.Steps = slices.Insert(p.Steps, 3+r.IntN(len(p.Steps)-3), s)
}

// practise uses one of the agent's skills, or none.
func (t *turn) practise() {
	var able []func()
	for _, one := range []struct {
		skill skills
		do    func()
	}{{edits, t.edit}, {odd, t.err}, {helps, t.help}, {asks, t.useEditor}, {rambles, t.ramble}, {shows, t.show}, {inquires, t.inquire}, {learns, t.learn}, {errs, t.mistake}, {announces, t.announce}} {
		if t.actor.agent.Skills&one.skill != 0 {
			able = append(able, one.do)
		}
	}
	if _, is := t.actor.language.(*nativeLanguage); is && t.actor.agent.Skills&listens != 0 && !t.isOver() {
		t.listen()
	}
	if len(able) > 0 && t.skilled.IntN(3) == 0 && !t.isOver() {
		able[t.skilled.IntN(len(able))]()
	}
}

// ramble says so much that the beginning does not stay in memory.
func (t *turn) ramble() {
	w := t.actor.world
	w.mu.Lock()
	done := w.rambled
	w.rambled = true
	w.mu.Unlock()
	if done {
		return
	}
	more := strings.Repeat(padding, 20)
	for range 100 {
		t.piece(more)
	}
}
