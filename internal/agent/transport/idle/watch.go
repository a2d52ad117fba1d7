package idle

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// Limits say how long an agent may be silent. Zero means no limit.
type Limits struct {
	Start time.Duration // until it first sends something
	Idle  time.Duration // after that, during a turn
}

// New returns a with limits applied.
func New(a agent.Agent, l Limits) agent.Agent {
	if l == (Limits{}) {
		return a
	}
	return &watched{a, l}
}

type watched struct {
	agent.Agent
	limits Limits
}

// Open implements [agent.Agent].
func (w *watched) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	s, err := w.Agent.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	return newSession(s, w.limits), nil
}

// Prepare implements [agent.Preparer].
func (w *watched) Prepare(log *slog.Logger) <-chan struct{} {
	if p, ok := w.Agent.(agent.Preparer); ok {
		return p.Prepare(log)
	}
	ready := make(chan struct{})
	close(ready)
	return ready
}

// Dismiss implements [agent.Preparer].
func (w *watched) Dismiss(ctx context.Context) {
	if p, ok := w.Agent.(agent.Preparer); ok {
		p.Dismiss(ctx)
	}
}

// silence returns the error of a turn in which nothing arrived for too long.
func silence(turnID string, limit time.Duration, starting bool) *agent.Error {
	e := &agent.Error{
		Error: fmt.Sprintf("the agent was silent for %s, so the turn was ended (idleTimeout in its configuration)", limit),
		Code:  "agent_idle",
		Base:  agent.Base{TurnID: turnID},
	}
	if starting {
		e.Error = fmt.Sprintf("the agent was silent for %s after its start, so the turn was ended (startTimeout in its configuration)", limit)
		e.Code = "agent_start_timeout"
	}
	return e
}
