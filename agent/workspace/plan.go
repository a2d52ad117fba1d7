package workspace

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// planStep shows a plan. The steps behind it in the prompt work it off.
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

// A plan moves on by one entry with every step. The zero plan has no entries
// and says nothing.
type plan struct {
	entries []agent.PlanEntry
	at      int // the entry that the next or the running step works on
}

func (p *plan) begin(t *turn) {
	if p.at < len(p.entries) {
		p.entries[p.at].Status = "in_progress"
		p.show(t)
	}
}

// advance ends the running entry, unless its step was cut short by a cancel.
func (p *plan) advance(t *turn) {
	if p.at < len(p.entries) && t.ctx.Err() == nil {
		p.entries[p.at].Status = "completed"
		p.at++
		p.show(t)
	}
}

// complete ends the entries that no step was left for.
func (p *plan) complete(t *turn) {
	if p.at >= len(p.entries) || t.ctx.Err() != nil {
		return
	}
	for ; p.at < len(p.entries); p.at++ {
		p.entries[p.at].Status = "completed"
	}
	p.show(t)
}

// show sends a copy, because an event belongs to whoever receives it.
func (p *plan) show(t *turn) {
	t.emit(&agent.Plan{Entries: slices.Clone(p.entries)})
}
