package sim

import (
	"fmt"
	"math/rand/v2"
)

// A Plan describes a world before it begins. Everything in it follows from its seed.
type Plan struct {
	Seed uint64
	storage
	ChatBytes int // bounds the turns of a chat that AHP clients get without fetching them; 0 means the default

	Agents []agentSpec
	Steps  []Step
}

// An agentSpec is an agent that the server can use.
type agentSpec struct {
	Name   string
	Kind   agentKind
	Greets bool // it introduces itself
	Manner manner
	Skills skills
}

// An agentKind is what an agent is and speaks.
type agentKind string

const (
	nativeAgent agentKind = "native" // a program that prints the native dialect
	acpAgent    agentKind = "acp"    // a program that speaks ACP itself
	aguiAgent   agentKind = "agui"   // an AG-UI server

	agentaoAgent agentKind = "agentao" // a program with the framework Agentao
)

// kinds lists the kinds of agents, each as often as it occurs at first; see [Plan.useAgentao].
var kinds = [...]agentKind{nativeAgent, nativeAgent, nativeAgent, acpAgent, acpAgent, acpAgent, aguiAgent, aguiAgent}

// A Step is something that happens. Its numbers select among the clients, agents and
// sessions that exist then.
type Step struct {
	Op      op
	A, B, C uint32
	// Together starts the next step without waiting for this one's effects.
	Together bool
}

// An op is a kind of step.
type op int

// frequencies says how often each kind of step occurs, relative to the others.
var frequencies = [...]struct {
	op     op
	weight int
}{
	{opConnect, 8}, {opNew, 8}, {opPrompt, 26}, {opAnswer, 22}, {opCancel, 8}, {opCancelRequest, 2},
	{opLoad, 8}, {opResume, 2}, {opAttach, 3}, {opDetach, 1}, {opFork, 2}, {opClose, 2}, {opDelete, 1}, {opList, 1},
	{opLeave, 2}, {opDrop, 2}, {opStall, 4}, {opUnstall, 4}, {opDelay, 3},
	{opChoke, 3}, {opUnchoke, 4}, {opRace, 10}, {opStarve, 4},
	{opReflect, 5}, {opConfirm, 5}, {opSay, 5}, {opStop, 2}, {opWait, 26}, {opPause, 3}, {opRestart, 1}, {opKill, 1}, {opFill, 2},
}

// NewPlan derives a plan from a seed.
func NewPlan(seed uint64) *Plan {
	r := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // it must be repeatable
	p := &Plan{Seed: seed}
	for range 1 + r.IntN(3) {
		a := agentSpec{Kind: kinds[r.IntN(len(kinds))], Greets: r.IntN(2) == 0, Manner: manner(r.IntN(int(manners)))}
		p.addAgent(a)
	}
	total := 0
	for _, f := range frequencies {
		total += f.weight
	}
	p.Steps = append(p.Steps, Step{Op: opConnect, A: r.Uint32(), B: r.Uint32()}, Step{Op: opNew, A: r.Uint32()}, Step{Op: opConnect, A: r.Uint32(), B: r.Uint32()})
	for range 20 + r.IntN(80) {
		n := r.IntN(total)
		for _, f := range frequencies {
			if n -= f.weight; n < 0 {
				p.Steps = append(p.Steps, Step{Op: f.op, A: r.Uint32(), B: r.Uint32(), C: r.Uint32(), Together: r.IntN(5) == 0})
				break
			}
		}
	}
	p.add(rand.New(rand.NewPCG(seed, 2)))           //nolint:gosec // it must be repeatable
	p.store(rand.New(rand.NewPCG(seed, 1)))         //nolint:gosec // it must be repeatable
	p.teach(rand.New(rand.NewPCG(seed, 3)))         //nolint:gosec // it must be repeatable
	p.insert(rand.New(rand.NewPCG(seed, 4)))        //nolint:gosec // it must be repeatable
	p.delay(rand.New(rand.NewPCG(seed, 5)))         //nolint:gosec // it must be repeatable
	p.openWindows(rand.New(rand.NewPCG(seed, 7)))   //nolint:gosec // it must be repeatable
	p.setClocks(rand.New(rand.NewPCG(seed, 8)))     //nolint:gosec // it must be repeatable
	p.teachMore(rand.New(rand.NewPCG(seed, 9)))     //nolint:gosec // it must be repeatable
	p.insertMore(rand.New(rand.NewPCG(seed, 10)))   //nolint:gosec // it must be repeatable
	p.takeBack(rand.New(rand.NewPCG(seed, 11)))     //nolint:gosec // it must be repeatable
	p.addMore(rand.New(rand.NewPCG(seed, 20)))      //nolint:gosec // it must be repeatable
	p.keepSessions(rand.New(rand.NewPCG(seed, 21))) //nolint:gosec // it must be repeatable
	p.takeOver(rand.New(rand.NewPCG(seed, 22)))     //nolint:gosec // it must be repeatable
	p.useAgentao(rand.New(rand.NewPCG(seed, 23)))   //nolint:gosec // it must be repeatable
	return p
}

// store chooses the storage. Most worlds have a folder. In some of the others, servers are
// cut off from NATS.
func (p *Plan) store(r *rand.Rand) {
	if r.IntN(5) > 0 {
		return
	}
	p.Servers = min(1+r.IntN(3), 2)
	if r.IntN(2) == 0 {
		return
	}
	for i := range p.Steps {
		if i > 2 && r.IntN(12) == 0 {
			p.Steps[i].Op = [...]op{opIsolate, opRejoin}[r.IntN(2)]
		}
	}
}

// delay makes the store of some worlds slow for a while. Some of them lose power then.
func (p *Plan) delay(r *rand.Rand) {
	if r.IntN(5) > 0 {
		return
	}
	for i := range p.Steps {
		switch n := r.IntN(40); {
		case i <= 2:
		case n < 3 && p.Servers == 0:
			p.Steps[i].Op = opSlow
		case n < 3:
			p.Steps[i].Op = [...]op{opFreeze, opRejoin}[r.IntN(2)]
		case n == 3:
			p.Steps[i].Op = opKill
		}
	}
}

// addAgent adds an agent and names it.
func (p *Plan) addAgent(a agentSpec) {
	p.Agents = append(p.Agents, a)
	p.name(len(p.Agents) - 1)
}

// name names an agent after its kind and manner.
func (p *Plan) name(i int) {
	a := &p.Agents[i]
	a.Name = fmt.Sprintf("%s-%s%d", a.Kind, a.Manner, i)
}
