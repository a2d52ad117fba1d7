package agentb

import (
	"context"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
)

// answers holds the user's answers to the questions of a turn. They may arrive
// before the turn waits for them, as soon as a question is shown.
type answers struct {
	mu      sync.Mutex
	byID    map[string]agent.QuestionResponse
	changed chan struct{}
}

// begin drops the answers of the previous turn.
func (a *answers) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.byID = make(map[string]agent.QuestionResponse)
	a.changed = make(chan struct{}, 1)
}

func (a *answers) add(r agent.QuestionResponse) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byID == nil {
		return // no turn has begun
	}
	a.byID[r.QuestionID] = r
	select {
	case a.changed <- struct{}{}:
	default:
	}
}

// wait returns the outputs of calls once each has an answer, or nil as soon as
// one was refused. A run needs all of its outputs to continue, and the driver
// does not invent any.
func (a *answers) wait(ctx context.Context, calls []wire.Call) ([]toolOutput, error) {
	for {
		outputs, settled := a.collect(calls)
		if settled {
			return outputs, nil
		}
		select {
		case <-a.changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (a *answers) collect(calls []wire.Call) (outputs []toolOutput, settled bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range calls {
		r, ok := a.byID[c.ID]
		if ok && r.Cancelled {
			return nil, true
		}
		if ok {
			outputs = append(outputs, toolOutput{c.ID, r.Answer})
		}
	}
	if len(outputs) < len(calls) {
		return nil, false
	}
	for _, c := range calls {
		delete(a.byID, c.ID) // a later call may have the same id
	}
	return outputs, true
}
