package events

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A confirmation is a request for permission to run a tool.
type confirmation struct {
	id     string // the agent's id for it, or ""
	call   string // the agent's id for the call
	turnID string
	tool   *normalize.Tool // nil if the request could not be read
	own    []string        // the ids of the options that the agent offers itself
}

// ambiguous reports whether an agent could mistake the answer to one for the
// answer to the other.
func (c *confirmation) ambiguous(other *confirmation) bool {
	if c.id != "" && other.id != "" {
		return c.id == other.id
	}
	return c.call == other.call
}

// confirm handles a request for confirmation. Its call has been announced.
func (s *session) confirm(step normalize.Step, e *agent.ConfirmationRequested) {
	c := &confirmation{id: e.ConfirmationID, call: e.ToolCallID, turnID: e.TurnID, tool: step.Tool}
	if step.Tool != nil {
		c.call = step.Tool.AgentID
	}
	a := &ask{confirmation: c}
	s.record.sync() // the user may think about it for hours
	if e.Refusal == "" && s.turn.running {
		c.turnID = s.turn.id
		for _, o := range e.Options {
			c.own = append(c.own, o.ID)
		}
		req := mapv1.Permission(step, e, s.children.of(step.Tool)) // the event will be reused
		a.send = func() {
			if !s.rule(c, req.Options) {
				s.sendPermission(a, req)
			}
		}
	}
	s.addAsk(a, e.Refusal)
}

func (s *session) sendPermission(a *ask, req v1.RequestPermissionRequest) {
	c := a.confirmation
	s.askPermission(a, req, func(answer core.Answer, err error) {
		made := consent.Of(s.callOf(c), time.Now()).Answered(answer.Chosen, answer.By).Unasked(answer.Unasked)
		if err != nil {
			made = s.undecided(c, "the front end failed to answer")
			s.peers.log.Warn("a confirmation failed", "tool", c.tool.ID, "error", err)
		}
		s.respond(c, answer.Chosen, "", made)
	})
}

// respond tells the agent which option was chosen, the zero option is none. made is who
// has decided.
func (s *session) respond(c *confirmation, chosen consent.Option, reason string, made consent.Decision) {
	s.normalizer.Decided(c.tool)
	d, option := agent.NotDecided, ""
	if chosen.Kind != "" {
		d = agent.Decision(chosen.Kind)
	}
	if slices.Contains(c.own, chosen.ID) { // the agent knows no other one
		option = chosen.ID
	}
	r := agent.ConfirmationResponse{
		Type:           agent.CommandConfirmation,
		SessionID:      s.peers.id,
		TurnID:         c.turnID,
		ConfirmationID: c.id,
		ToolCallID:     c.call,
		Decision:       d,
		OptionID:       option,
		Reason:         reason,
	}
	s.queue.permit(func() { s.peers.agent.Confirm(r) }, func() {
		r = r.Refused()
		made = s.undecided(c, turnCancelled)
		s.peers.agent.Confirm(r)
	})
	s.note(made)
	if c.tool != nil {
		r.ToolCallID = c.tool.ID // as the editor knows it
	}
	s.record.command(r)
}
