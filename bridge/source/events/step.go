package events

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// start passes a prompt to the agent, or the answer that it waits for.
func (s *session) start(p *prompt) {
	if q := s.asks.takePending(); q != nil {
		s.turn.begin(p.turnID)
		s.hints.begin()
		command := s.command(p)
		s.record.prompt(command)
		q.answerIn(command.Text)
		s.queue.markDelivered(p)
		s.asks.sendDeferred()
		return
	}
	s.turn.begin(p.turnID)
	s.hints.begin()
	s.stream.begin(p.turnID)
	command := s.command(p)
	s.memory.begin(command.Text)
	s.record.prompt(command)
	s.out.begin()
	s.stream.notice(s.setup.unserved())
	s.stream.notice(s.setup.uninstructed())
	s.stream.notice(s.memory.lost())
	s.stream.notice(s.record.failure())
	s.hints.wait()
	err := s.peers.agent.Prompt(command)
	if err != nil {
		s.stream.fail(&agent.Error{Error: err.Error(), Code: "agent_start_failed"})
		return
	}
	s.queue.markDelivered(p)
}

// command returns a prompt as the agent gets it.
func (s *session) command(p *prompt) agent.Prompt {
	return agent.Prompt{
		Type:      agent.CommandPrompt,
		SessionID: s.peers.id,
		TurnID:    p.turnID,
		Cwd:       s.peers.cwd,
		Text:      flatten(p.blocks),
		Blocks:    p.blocks,

		TraceContext: p.trace,
	}
}

// checkCancel refuses the open requests of a cancelled turn, and ends the turn
// if the agent has not done so in time.
func (s *session) checkCancel() {
	cancelled := s.queue.isCancelled()
	switch {
	case s.turn.running && cancelled && s.turn.deadline.IsZero():
		s.turn.deadline = time.Now().Add(cancelGrace)
		s.asks.refuseAll()
	case !s.turn.running && cancelled:
		s.cancelPendingQuestion()
	}
	if !s.turn.isOver() {
		return
	}
	s.peers.agent.Abandon(s.turn.id)
	if !s.turn.running {
		s.turn.forget()
		return
	}
	s.turn.logger().Info("the agent did not end a cancelled turn in time")
	s.stream.cancel()
}

// cancelPendingQuestion ends a turn that waits for the next prompt, which is no
// longer an answer. Later events of that turn are dropped.
func (s *session) cancelPendingQuestion() {
	s.turn.leave(s.queue.askingTurn())
	s.asks.refuseAll()
	s.stream.cancel()
	s.queue.endCancel()
}

// show sends the updates of a step. The normalizer calls it.
func (s *session) show(step normalize.Step) {
	switch e := step.Event.(type) {
	case *agent.TextDelta:
		s.memory.add(e.Text)
		s.record.text(e)
		s.out.text(v1.AgentMessage, e.MessageID, e.Text, e.Ends)
		return
	case *agent.ThinkingDelta:
		s.record.text(e)
		s.out.text(v1.AgentThought, e.MessageID, e.Thinking, e.Ends)
		return
	case *agent.State:
		if s.keepState(e) {
			s.record.step(step)
		}
		return
	case *agent.OptionRefused:
		if s.choices.refuse(e) {
			return // the answer to the prompt reports it
		}
	case *agent.Hint:
		s.hints.add(e)
		return
	}
	if step.End {
		s.hints.end(s.queue.isCancelled())
	}
	s.record.step(step)
	if e, ok := step.Event.(*agent.Introduction); ok {
		s.setup.introduce(e)
		s.memory.introduce(e)
	}
	s.out.step(step)
	if step.Options != nil {
		if e, ok := step.Event.(*agent.ConfigOptions); ok && len(step.Options) < len(e.Options) {
			s.turn.logger().Warn("the agent has options that cannot be shown", "shown", len(step.Options), "options", len(e.Options))
		}
		s.choices.confirm(step.Options)
	}
	if _, ok := step.Event.(*agent.ToolEnd); ok {
		s.stream.forget(step.Tool)
	}
	s.asks.handle(step)
	if step.End {
		s.asks.refuseAll()
		s.sayNothing(step.Event)
		s.finish(step.Event)
	}
}

// sayNothing says that there is no answer, where a turn ends in good order and
// has shown nothing: editors show an empty message then, or none.
func (s *session) sayNothing(end agent.Event) {
	if !s.turn.running || s.turn.said || s.queue.isCancelled() || !mapv1.EndsWell(end) {
		return
	}
	for _, u := range mapv1.Map(mapv1.NoAnswer(s.turn.id), s.peers.client.shows) {
		s.out.update(u)
	}
}

// finish answers the prompt. Every update of the turn is in the stream by then.
func (s *session) finish(end agent.Event) {
	s.turn.logger().Info("a turn has ended", "end", end.Type())
	s.turn.end()
	s.memory.end()
	s.record.sync()
	s.stream.end()
	p, cancelled := s.queue.finish()
	switch stop, err := mapv1.Stop(end); {
	case p == nil:
	case cancelled:
		p.request.Reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	case err != nil:
		p.request.Fail(err)
	default:
		p.request.Reply(v1.PromptResponse{StopReason: stop})
	}
}
