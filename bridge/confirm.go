package bridge

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A confirmation is a request whether a tool may run.
type confirmation struct {
	id     string // the agent's name for it, "" where it has none
	call   string // the agent's name for the call
	turnID string
	tool   *normalize.Tool // nil where the request could not be read
}

// ambiguous reports whether an agent could take the answer to one for the
// answer to the other.
func (c *confirmation) ambiguous(other *confirmation) bool {
	if c.id != "" && other.id != "" {
		return c.id == other.id
	}
	return c.call == other.call
}

// confirm asks whether a tool may run. The call has been announced.
func (s *session) confirm(step normalize.Step, e *agent.ConfirmationRequested) {
	c := &confirmation{id: e.ConfirmationID, call: e.ToolCallID, turnID: e.TurnID, tool: step.Tool}
	if step.Tool != nil {
		c.call = step.Tool.AgentID
	}
	a := &ask{confirmation: c}
	if e.Refusal == "" && s.turn != nil {
		c.turnID = s.turn.id
		req := mapv1.Permission(step, e, s.id) // the event is used again
		a.send = func() { s.sendPermission(a, req) }
	}
	s.enterAsk(a, e.Refusal)
}

func (s *session) sendPermission(a *ask, req v1.RequestPermissionRequest) {
	var answer v1.RequestPermissionResponse
	s.open(a, v1.MethodRequestPermission, req, &answer, func(err error) {
		d := agent.NotDecided
		if err == nil {
			d = mapv1.Decision(answer, req.Options)
		} else {
			s.conn.log.Warn("a confirmation failed", "session", s.id, "tool", a.confirmation.tool.ID, "error", err)
		}
		s.respond(a.confirmation, d, "")
	})
}

// respond tells the agent what was decided.
func (s *session) respond(c *confirmation, d agent.Decision, reason string) {
	s.normalizer.Decided(c.tool)
	r := agent.ConfirmationResponse{
		Type:           agent.CommandConfirmation,
		SessionID:      s.id,
		TurnID:         c.turnID,
		ConfirmationID: c.id,
		ToolCallID:     c.call,
		Decision:       d,
		Reason:         reason,
	}
	s.permit(func() { s.agent.Confirm(r) }, func() { s.agent.Confirm(r.Refused()) })
}
