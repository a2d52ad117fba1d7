package lifecycle

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/batch"
)

// maxTools bounds the tools that run at the same time in a session.
const maxTools = 16

// A ToolUser is a [Runner] whose agent may use Turnwire's tools.
type ToolUser interface {
	Runner
	// Tools returns the session's tools, or nil if the agent didn't ask for them. It does
	// not block.
	Tools() *tools.Box
}

// tools returns the session's tools, or nil.
func (s *session) tools() *tools.Box {
	if u, ok := s.runner.(ToolUser); ok {
		return u.Tools()
	}
	return nil
}

// A toolTurn is a turn as its tools see it.
type toolTurn struct {
	turn *Turn
	ctx  context.Context
}

// Context implements [tools.Turn].
func (t toolTurn) Context() context.Context { return t.ctx }

// Life implements [tools.Turn].
func (t toolTurn) Life() context.Context { return t.turn.ctx }

// Send implements [tools.Turn].
func (t toolTurn) Send(ctx context.Context, events ...agent.Event) bool {
	for _, e := range events {
		e.Common().TurnID = t.turn.Prompt.TurnID
	}
	return t.turn.session.offer(ctx.Done(), batch.New(group(events), t.view))
}

// view drops what comes after the end of the turn.
func (t toolTurn) view(events iter.Seq[agent.Event]) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		for e := range events {
			if t.turn.isAbandoned() || isClosed(t.turn.ended) || !yield(e) {
				return
			}
		}
	}
}

// A group is a batch of several events.
type group []agent.Event

// Events implements [agent.Batch].
func (g group) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		for _, e := range g {
			if !yield(e) {
				return
			}
		}
	}
}

// Release implements [agent.Batch].
func (group) Release() {}

// UseTool runs one of Turnwire's tools for a call that the turn's agent has announced, and
// returns after the call has ended. The agent must not use the id again.
func (t *Turn) UseTool(id, name string, args []byte) tools.Result {
	box := t.session.tools()
	if box == nil {
		return tools.Result{Text: "Error: the tools are not offered to this agent."}
	}
	r := box.Run(toolTurn{t, t.toolContext()}, id, name, args)
	if name == tools.AskUser || name == tools.UpdatePlan {
		// These show something other than the announced call.
		t.Emit(&agent.ToolEnd{ToolCallID: id, OK: r.OK, Cancelled: r.Refused || r.Cancelled, Result: agent.NewText(r.Text)})
	}
	return r
}

// toolContext returns a context that ends when the turn is cancelled or ends.
func (t *Turn) toolContext() context.Context {
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.using == nil {
		t.using, t.stopTools = context.WithCancel(t.ctx)
		if t.IsCancelled() || isClosed(t.ended) {
			t.stopTools()
		}
	}
	return t.using
}

// endTools stops the turn's tools. When it returns, no tool starts anything any more, even
// if its permission was delivered already.
func (t *Turn) endTools() {
	s := t.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.stopTools != nil {
		t.stopTools()
	}
}

// confirmTool delivers the decision about a call of a tool. It returns false if it is about
// something else.
func (s *session) confirmTool(r agent.ConfirmationResponse) bool {
	box := s.tools()
	if box == nil {
		return false
	}
	if t := s.current(r.TurnID); t == nil || t.IsCancelled() {
		r = r.Refused()
	}
	return box.Confirm(r)
}

// answerTool delivers the answer to a question of a tool, like confirmTool.
func (s *session) answerTool(r agent.QuestionResponse) bool {
	box := s.tools()
	return box != nil && box.Answer(r)
}

// useTool runs a tool that the agent of a [LineBackend] requests in a turn, and answers the
// request. It does not block.
func (s *session) useTool(t *Turn, e *agent.ToolRequested) {
	r := agent.ToolResponse{Type: agent.CommandTool, ToolCallID: e.ToolCallID, TurnID: e.TurnID}
	if t != nil {
		r.SessionID, r.TurnID = t.Prompt.SessionID, t.Prompt.TurnID
	}
	if err := s.beginTool(t, e); err != nil {
		r.Text = "Error: " + err.Error()
		s.respondTool(r)
	}
}

// beginTool starts a tool, or returns an error that says why it can't.
func (s *session) beginTool(t *Turn, e *agent.ToolRequested) error {
	box := s.tools()
	switch {
	case e.Refusal != "":
		return fmt.Errorf("%s", e.Refusal)
	case e.ToolCallID == "":
		return fmt.Errorf("toolCallId is missing")
	case box == nil:
		return fmt.Errorf(`the agent has no tools: it must set "tools" to true in agent_info`)
	case t == nil || isClosed(t.ended) || e.TurnID != "" && e.TurnID != t.Prompt.TurnID:
		return fmt.Errorf("no turn is running")
	}
	in := toolTurn{t, t.toolContext()}
	id, name, args, limit := e.ToolCallID, e.ToolName, bytes.Clone(e.Args), e.Limit
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errClosed
	case s.using[id]:
		return fmt.Errorf("a tool with the id %q is running", id)
	case len(s.using) >= maxTools:
		return fmt.Errorf("%d tools are running, which is the limit", maxTools)
	}
	if s.using == nil {
		s.using = make(map[string]bool)
	}
	s.using[id] = true
	s.work.Go(func() {
		result, truncated := box.Run(in, id, name, args).Cut(limit)
		s.mu.Lock()
		delete(s.using, id)
		s.mu.Unlock()
		s.respondTool(agent.ToolResponse{
			Type: agent.CommandTool, SessionID: t.Prompt.SessionID, TurnID: t.Prompt.TurnID, ToolCallID: id,
			OK: result.OK, Text: result.Text, Refused: result.Refused, Cancelled: result.Cancelled, Truncated: truncated,
		})
	})
	return nil
}

// respondTool answers a request of the agent.
func (s *session) respondTool(r agent.ToolResponse) {
	s.logUnsent(s.lines.Send(Command{TurnID: r.TurnID, Line: r}))
}
