package agentb

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
)

// outputs returns the outputs of calls once each has an answer, or nil as soon as
// one was refused. A run needs all of its outputs to continue, and the driver
// does not invent any.
func (b *backend) outputs(ctx context.Context, calls []wire.Call) ([]toolOutput, error) {
	ids := make([]string, 0, len(calls))
	for _, c := range calls {
		ids = append(ids, c.ID)
	}
	refused := func(r agent.QuestionResponse) bool { return r.Cancelled }
	answers, err := b.answers.Wait(ctx, ids, refused)
	if err != nil {
		return nil, err
	}
	var outputs []toolOutput
	for _, id := range ids {
		if r, ok := answers[id]; !ok || refused(r) {
			return nil, nil
		}
		outputs = append(outputs, toolOutput{id, answers[id].Answer})
	}
	return outputs, nil
}
