package agui

import (
	"context"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/agui/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// resolve waits until everything that a run waits for is answered or has expired, and
// returns the answers.
func (b *backend) resolve(ctx context.Context, t *lifecycle.Turn, state *wire.State) ([]thread.Resume, error) {
	list := state.Interrupts()
	answers := make(map[string]wire.Answer)
	for open := list; len(open) > 0; {
		given, err := b.wait(ctx, open)
		if ctx.Err() != nil || t.IsCancelled() {
			return nil, context.Canceled
		}
		if err == nil {
			answers = given
			break
		}
		var rest []*wire.Interrupt
		for _, i := range open {
			if at, expires := expiry(i); !expires || at.After(time.Now()) {
				rest = append(rest, i)
				continue
			}
			for _, e := range i.Withdraw() {
				t.Emit(e)
			}
			t.Emit(&agent.Notice{Severity: "warning", Message: "The agent's request has expired, and was cancelled."})
		}
		open = rest
	}
	resume := make([]thread.Resume, 0, len(list))
	for _, i := range list {
		state.Decide(i, answers)
		payload := i.Payload(answers)
		if payload == nil {
			payload = i.Refusal
		}
		resume = append(resume, thread.NewResume(i.ID, i.Legacy, payload))
	}
	return resume, nil
}

// wait returns the answers to all of open, or an error as soon as one of these expires.
func (b *backend) wait(ctx context.Context, open []*wire.Interrupt) (map[string]wire.Answer, error) {
	var ids []string
	for _, i := range open {
		ids = append(ids, i.Requests...)
		if at, expires := expiry(i); expires {
			var done context.CancelFunc
			ctx, done = context.WithDeadline(ctx, at) // the earliest counts
			defer done()
		}
	}
	return b.answers.Wait(ctx, ids, nil)
}

// expiry returns when an interrupt can't be answered any more.
func expiry(i *wire.Interrupt) (at time.Time, expires bool) {
	at, err := time.Parse(time.RFC3339, i.ExpiresAt)
	return at, err == nil
}
