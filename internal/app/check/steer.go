package check

import (
	"context"
	"fmt"

	"github.com/turnwire/turnwire/agent"
)

// steer sends a message during the turn.
func (r *runner) steer(ctx context.Context, finished func() bool) {
	begun := r.received
	r.listen(ctx, middle, func() bool { return finished() || r.received > begun })
	r.unread = fmt.Sprintf("steer-%d", r.turns)
	if finished() {
		return
	}
	r.send(agent.Steer{
		Type: agent.CommandSteer, SessionID: r.session, TurnID: r.turnID(), SteerID: r.unread, Text: r.Prompt,
		Blocks: []agent.Content{{Type: "text", Text: r.Prompt}},
	})
}

// steered checks the agent's reply to a message.
func (r *runner) steered(e *agent.Steered) {
	if e.SteerID != r.unread || r.unread == "" {
		r.found("steered-unknown", fmt.Sprintf("steered names the message %q, which was not sent, or was already read", e.SteerID))
		return
	}
	r.unread = ""
}
