package events

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// show records a step and sends its updates. The normalizer calls it.
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
	case *agent.UserMessage:
		s.memory.user(textOf(e))
	case *agent.Steered:
		s.steered(e)
		return
	case *agent.OptionRefused:
		if s.choices.refuse(e) {
			return // the response to the choice reports it
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
		if !s.out.opening { // otherwise the response says so
			if meta := s.setup.steering(); meta != nil {
				s.out.update(&v1.SessionInfoUpdate{Meta: meta})
			}
		}
		s.memory.introduce(e)
		for _, u := range s.cursors.allow(e.History) {
			s.out.update(u)
		}
	}
	s.out.step(step)
	if step.Options != nil {
		if e, ok := step.Event.(*agent.ConfigOptions); ok && len(step.Options) < len(e.Options) {
			s.turn.logger().Warn("some of the agent's options cannot be shown", "shown", len(step.Options), "options", len(e.Options))
		}
		s.choices.confirm(step.Options)
	}
	if _, ok := step.Event.(*agent.ToolEnd); ok {
		s.stream.forget(step.Tool)
	}
	s.pending.handle(step)
	if step.End {
		s.pending.refuseAll()
		s.sayNothing(step.Event)
		s.finish(step.Event)
	}
}

// sayNothing shows a notice if a turn succeeds without any output. Editors would show
// an empty message or nothing.
func (s *session) sayNothing(end agent.Event) {
	if !s.turn.running || s.turn.visible || s.queue.isCancelled() || !acpmap.EndsWell(end) {
		return
	}
	for _, u := range acpmap.Map(acpmap.NoAnswer(s.turn.id), s.peers.client.shows) {
		s.out.update(u)
	}
}

// finish answers the prompt. Every update of the turn is already in the stream.
func (s *session) finish(end agent.Event) {
	s.turn.logger().Info("a turn has ended", "end", end.Type())
	s.turn.end()
	s.memory.end(end)
	s.record.sync()
	s.stream.end()
	if back, does := s.goOn(end); does {
		answerUninjected(back)
		return
	}
	p, cancelled, back := s.queue.finish()
	switch stop, err := acpmap.Stop(end); {
	case p == nil:
	case cancelled:
		p.request.Reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	case err != nil:
		p.request.Fail(err)
	default:
		p.request.Reply(v1.PromptResponse{StopReason: stop})
	}
	answerUninjected(back)
}

// keepState stores the state that the agent receives when its session continues. It
// returns false if the state is too large.
func (s *session) keepState(e *agent.State) bool {
	saved := s.memory.keep(e.State)
	if !saved {
		s.turn.logger().Warn("the agent's state is too large to be saved", "bytes", len(e.State), "limit", agent.MaxState)
	}
	return saved
}
