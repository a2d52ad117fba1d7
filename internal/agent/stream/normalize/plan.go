package normalize

import (
	"cmp"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// unnamedPlan is the id of a plan without an id.
const unnamedPlan = "plan"

// maxPlans limits the plans of a session. The oldest are dropped.
const maxPlans = 16

// addPlan yields an event about a plan, with the entries of all plans.
func (t *Normalizer) addPlan(e agent.Event) {
	switch e := e.(type) {
	case *agent.Plan:
		e.PlanID = cmp.Or(e.PlanID, unnamedPlan)
		plan := agent.Plan{PlanID: e.PlanID, Entries: e.Entries}
		if at := t.findPlan(e.PlanID); at >= 0 {
			t.plans[at] = &plan
			break
		}
		if len(t.plans) == maxPlans {
			t.plans = slices.Delete(t.plans, 0, 1)
		}
		t.plans = append(t.plans, &plan)
	case *agent.PlanRemoved:
		e.PlanID = cmp.Or(e.PlanID, unnamedPlan)
		at := t.findPlan(e.PlanID)
		if at < 0 {
			return
		}
		t.plans = slices.Delete(t.plans, at, at+1)
	}
	var all []agent.PlanEntry
	for _, p := range t.plans {
		all = append(all, p.Entries...)
	}
	t.yieldApart(Step{Event: e, Entries: all})
}

func (t *Normalizer) findPlan(id string) int {
	return slices.IndexFunc(t.plans, func(p *agent.Plan) bool { return p.PlanID == id })
}
