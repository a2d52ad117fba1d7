package agui

import (
	"context"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// resolve waits until everything that the run waits for is answered or has expired, and
// returns the answers.
func (b *backend) resolve(ctx context.Context, t *lifecycle.Turn) ([]thread.Resume, error) {
	list := b.state.Interrupts()
	groups := make([]lifecycle.Group, len(list))
	for i, in := range list {
		groups[i].IDs = in.Requests
		if at, err := time.Parse(time.RFC3339, in.ExpiresAt); err == nil {
			groups[i].Expires = at
		}
	}
	answers, err := b.Answers.WaitAll(ctx, groups, func(i int) {
		for _, e := range list[i].Withdraw() {
			t.Emit(e)
		}
		t.Emit(&agent.Notice{Severity: "warning", Message: "The agent's request has expired, and was cancelled."})
	})
	if err != nil || t.IsCancelled() {
		return nil, context.Canceled
	}
	resume := make([]thread.Resume, 0, len(list))
	for _, i := range list {
		b.state.Decide(i, answers)
		resume = append(resume, i.Resume(i.Payload(answers)))
	}
	return resume, nil
}
