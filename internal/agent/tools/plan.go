package tools

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
)

// A PlanArgs is the arguments of [UpdatePlan].
type PlanArgs struct {
	Entries []PlanEntry `json:"entries"`
}

// A PlanEntry is one step of a plan.
type PlanEntry struct {
	Content string `json:"content"`
	Status  string `json:"status"` // pending, in_progress or completed
}

type planTask PlanArgs

func (planTask) view() agent.View { return agent.View{} }

// run shows the plan. The user sees it instead of a call.
func (k planTask) run(c *call) Result {
	plan := &agent.Plan{Entries: []agent.PlanEntry{}}
	for _, e := range k.Entries {
		switch e.Status {
		case "pending", "in_progress", "completed":
		default:
			c.start()
			return c.fail(fmt.Errorf("unknown status %q: use pending, in_progress or completed", e.Status))
		}
		plan.Entries = append(plan.Entries, agent.PlanEntry{Content: e.Content, Status: e.Status, Priority: "medium"})
	}
	if !c.emit(plan) {
		return Result{Text: "The user cancelled the turn.", Cancelled: true}
	}
	return Result{Text: "The user sees the plan.", OK: true}
}
