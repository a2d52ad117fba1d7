package workspace

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// planStep shows a plan. Later steps in the same prompt complete its entries.
type planStep struct{ entries []string }

func (s planStep) run(t *turn) outcome {
	t.plan = plan{}
	for _, text := range s.entries {
		t.plan.entries = append(t.plan.entries, agent.PlanEntry{
			Content: text, Status: "pending", Priority: "medium",
		})
	}
	t.plan.show(t)
	return succeeded
}

// A plan advances by one entry with each step. The zero plan has no entries
// and emits nothing.
type plan struct {
	entries []agent.PlanEntry
	at      int // index of the entry for the current or next step
}

func (p *plan) begin(t *turn) {
	if p.at < len(p.entries) {
		p.entries[p.at].Status = "in_progress"
		p.show(t)
	}
}

// advance completes the current entry, unless a cancel cut its step short.
func (p *plan) advance(t *turn) {
	if p.at < len(p.entries) && t.ctx.Err() == nil {
		p.entries[p.at].Status = "completed"
		p.at++
		p.show(t)
	}
}

// complete completes the entries that had no step.
func (p *plan) complete(t *turn) {
	if p.at >= len(p.entries) || t.ctx.Err() != nil {
		return
	}
	for ; p.at < len(p.entries); p.at++ {
		p.entries[p.at].Status = "completed"
	}
	p.show(t)
}

// show emits a copy, because an event belongs to its receiver.
func (p *plan) show(t *turn) {
	t.emit(&agent.Plan{Entries: slices.Clone(p.entries)})
}
