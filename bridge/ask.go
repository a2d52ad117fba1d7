package bridge

import (
	"context"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// maxAsks is how much an editor is asked at once. Then the agent's events wait,
// and with them what it would ask next.
const maxAsks = 128

// An ask is something that the editor is asked and that the agent waits for.
// It belongs to the session's goroutine and is open while it is in turn.asks.
type ask struct {
	tool     *track.Tool // what a confirmation is about
	question *question   // or what is asked
	withdraw func()
	// refuse tells the agent that nobody decided.
	refuse func()
}

// open asks the editor, waits for the answer in a goroutine, and has answered
// run by the session's goroutine with the outcome, unless the ask was settled
// before.
func (s *session) open(a *ask, method string, params any, result any, answered func(err error)) {
	out, err := s.conn.calls.start(s.rpc, method, params)
	if err != nil {
		answered(err)
		return
	}
	ctx, cancel := context.WithCancel(s.conn.ctx)
	a.withdraw = func() {
		s.sent(out.withdraw())
		cancel()
	}
	s.turn.asks = append(s.turn.asks, a)
	go func() {
		defer cancel()
		err := out.wait(ctx, result)
		s.post(func() {
			if s.remove(a) {
				answered(err)
			}
		})
	}()
}

// asksEnough tells whether the editor has enough to answer.
func (s *session) asksEnough() bool { return s.turn != nil && len(s.turn.asks) >= maxAsks }

// remove takes an ask out of the open ones; false where it was settled before.
func (s *session) remove(a *ask) bool {
	if s.turn == nil {
		return false
	}
	i := slices.Index(s.turn.asks, a)
	if i < 0 {
		return false
	}
	s.turn.asks = slices.Delete(s.turn.asks, i, i+1)
	return true
}

// withdrawAll takes back what the editor is asked, and tells the agent.
func (s *session) withdrawAll() {
	if s.turn == nil {
		return
	}
	asks := s.turn.asks
	s.turn.asks = nil
	for _, a := range asks {
		a.withdraw()
		a.refuse()
	}
}

// settle takes back what the agent does not wait for any more.
func (s *session) settle(step track.Step) {
	if s.turn == nil {
		return
	}
	for _, a := range slices.Clone(s.turn.asks) {
		answered, ok := step.Event.(*agent.QuestionAnswered)
		same := a.tool != nil && a.tool == step.Tool ||
			ok && a.question != nil && a.question.event.QuestionID == answered.QuestionID
		if !same || !s.remove(a) {
			continue
		}
		a.withdraw()
		if q := a.question; q != nil && q.shown {
			s.update(mapv1.QuestionEnd(&q.event, answered.Answer, !answered.Cancelled))
		}
	}
}

// confirm asks whether a tool may run. The call has been announced.
func (s *session) confirm(step track.Step, e *agent.ConfirmationRequested) {
	tool, turnID := step.Tool, s.turn.id
	respond := func(d agent.Decision) {
		s.agent.Confirm(agent.ConfirmationResponse{
			Type:       agent.CommandConfirmation,
			SessionID:  s.id,
			TurnID:     turnID,
			ToolCallID: tool.AgentID,
			Decision:   d,
		})
	}
	if s.isCancelled() {
		respond(agent.NotDecided)
		return
	}
	req := mapv1.Permission(step, e, s.id)
	var answer v1.RequestPermissionResponse
	a := &ask{tool: tool, refuse: func() { respond(agent.NotDecided) }}
	s.open(a, v1.MethodRequestPermission, req, &answer, func(err error) {
		if err != nil {
			s.conn.log.Warn("a confirmation failed", "session", s.id, "tool", tool.ID, "error", err)
			respond(agent.NotDecided)
			return
		}
		respond(mapv1.Decision(answer, req.Options))
	})
}
