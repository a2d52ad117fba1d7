package events

import (
	"cmp"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// confirmations handle a session's permission requests. They belong to the session's
// goroutine.
type confirmations struct {
	pending    *pendingRequests
	peers      *peers
	queue      *queue
	turn       *turn
	out        *output
	normalizer *normalize.Normalizer
	record     *record
	rules      rules
	parts      *parts
}

// A confirmation is a request for permission to run a tool.
type confirmation struct {
	all    *confirmations
	id     string // the agent's id for the request, or ""
	call   string // the agent's id for the call
	turnID string
	tool   *normalize.Tool // nil if the request could not be read
	own    []string        // the ids of the agent's own options
	reject consent.Option  // what the agent gets if a part is accepted; zero if none can be
	stop   func()          // keeps an accepted part from being written; nil until one is
}

// add handles a permission request. Its call was already announced.
func (cs *confirmations) add(step normalize.Step, e *agent.ConfirmationRequested) {
	c := &confirmation{all: cs, id: e.ConfirmationID, call: e.ToolCallID, turnID: e.TurnID, tool: step.Tool}
	if step.Tool != nil {
		c.call = step.Tool.AgentID
	}
	a := &pendingRequest{kind: c}
	cs.record.beginSync() // the user may take hours to decide
	if e.Refusal == "" && cs.turn.running {
		c.turnID = cs.turn.id
		for _, o := range e.Options {
			c.own = append(c.own, o.ID)
		}
		req := acpmap.Permission(step, e, cs.out.sessionOf(step.Tool)) // the event will be reused
		if !e.Partial {
			cs.offerPart(c, &req)
		}
		a.send = func() {
			if !cs.rule(c, req.Options) {
				cs.send(a, c, req)
			}
		}
	}
	cs.pending.add(a, e.Refusal)
}

func (cs *confirmations) send(a *pendingRequest, c *confirmation, req v1.RequestPermissionRequest) {
	cs.pending.permission(a, req, func(answer core.Answer, err error) {
		if c.reject.ID != "" && answer.Accepted != nil {
			cs.writePart(a, c, answer)
			return
		}
		made := consent.Of(cs.callOf(c), time.Now()).Answered(answer.Chosen, answer.By).Unasked(answer.Unasked).InPart(answer.Accepted != nil)
		if err != nil {
			made = cs.undecided(c, "the client failed to answer")
			cs.peers.log.Warn("a permission request failed", "tool", c.tool.ID, "error", err)
		}
		cs.respond(c, answer, "", made)
	})
}

// offered converts the options of a permission request.
func offered(options []v1.PermissionOption) []consent.Option {
	all := make([]consent.Option, len(options))
	for i, o := range options {
		all[i] = consent.Option{ID: o.OptionID, Kind: string(o.Kind), Name: o.Name}
	}
	return all
}

// respond tells the agent what an answer chose; the zero answer chose nothing. made says
// who decided.
func (cs *confirmations) respond(c *confirmation, answer core.Answer, reason string, made consent.Decision) {
	cs.normalizer.Decided(c.tool)
	d := agent.NotDecided
	if answer.Chosen.Kind != "" {
		d = agent.Decision(answer.Chosen.Kind)
	}
	r := c.response(d, answer.Chosen.ID)
	r.Reason = reason
	for _, t := range answer.Accepted {
		r.Accepted = append(r.Accepted, agent.AcceptedText(t))
	}
	cs.queue.permit(func() { cs.peers.agent.Confirm(r) }, func() {
		r = r.Refused()
		made = cs.undecided(c, turnCancelled)
		cs.peers.agent.Confirm(r)
	})
	cs.note(made)
	cs.recordAnswer(c, r)
}

// response returns a response to the request.
func (c *confirmation) response(d agent.Decision, option string) agent.ConfirmationResponse {
	if !slices.Contains(c.own, option) { // the agent knows no others
		option = ""
	}
	return agent.ConfirmationResponse{
		Type:           agent.CommandConfirmation,
		SessionID:      c.all.peers.id,
		TurnID:         c.turnID,
		ConfirmationID: c.id,
		ToolCallID:     c.call,
		Decision:       d,
		OptionID:       option,
	}
}

// tell gives the agent a response that permits nothing.
func (cs *confirmations) tell(c *confirmation, r agent.ConfirmationResponse) {
	cs.normalizer.Decided(c.tool)
	cs.peers.agent.Confirm(r)
	cs.recordAnswer(c, r)
}

func (cs *confirmations) recordAnswer(c *confirmation, r agent.ConfirmationResponse) {
	if c.tool != nil {
		r.ToolCallID = c.tool.ID // the id that the editor knows
	}
	cs.record.command(r)
}

// refuse implements [askKind].
func (c *confirmation) refuse(reason string) {
	if c.stop != nil {
		c.stop()
		c.all.tell(c, c.response(agent.NotDecided, ""))
		return
	}
	c.all.respond(c, core.Answer{}, reason, c.all.undecided(c, cmp.Or(reason, turnCancelled)))
}

// ambiguous implements [askKind].
func (c *confirmation) ambiguous(kind askKind) bool {
	other, ok := kind.(*confirmation)
	switch {
	case !ok:
		return false
	case c.id != "" && other.id != "":
		return c.id == other.id
	}
	return c.call == other.call
}

// settledBy implements [askKind].
func (c *confirmation) settledBy(step normalize.Step) bool {
	switch e := step.Event.(type) {
	case *agent.QuestionAnswered:
		return false
	case *agent.ConfirmationResolved:
		if e.ConfirmationID != "" {
			return c.id == e.ConfirmationID
		}
	}
	return c.tool == step.Tool
}

// settled implements [askKind].
func (c *confirmation) settled(step normalize.Step) {
	if c.stop != nil {
		c.stop()
		return
	}
	if !step.Closed {
		c.all.note(c.all.undecided(c, "the agent no longer waits for the decision"))
	}
}
