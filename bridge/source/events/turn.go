package events

import (
	"log/slog"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A turn runs from a prompt to its answer. It belongs to the session's
// goroutine.
type turn struct {
	id       string // the id that the agent knows
	asks     []*ask
	deadline time.Time // set when the turn is cancelled
	said     bool      // the user has seen something of it, thoughts aside
	losses   losses
}

// logger is the log with the ids of the session and of its turn. It is used on the
// session's goroutine.
func (s *session) logger() *slog.Logger {
	log := s.peers.log
	if s.turn != nil {
		log = log.With("turn", s.turn.id)
	}
	return log
}

// start passes a prompt to the agent, or the answer that it waits for.
func (s *session) start(p *prompt) {
	if a := s.pendingQuestion; a != nil {
		s.setPendingQuestion(nil)
		s.turn = &turn{id: p.turnID}
		command := s.command(p)
		s.record.prompt(command)
		s.answerPending(a.question, command.Text)
		s.queue.markDelivered(p)
		s.sendDeferred()
		return
	}
	s.turn = &turn{id: p.turnID}
	s.normalizer.Begin(p.turnID)
	s.children.begin()
	command := s.command(p)
	s.memory.begin(command.Text)
	s.record.prompt(command)
	s.sendQueuedUpdates()
	s.tell(s.setup.unserved())
	s.tell(s.setup.uninstructed())
	s.tell(s.memory.lost(s.source.agent.Info().Resume))
	s.tell(s.record.failure())
	s.hints.wait()
	err := s.peers.agent.Prompt(command)
	if err != nil {
		s.normalizer.Fail(&agent.Error{Error: err.Error(), Code: "agent_start_failed"}, s.step)
		return
	}
	s.queue.markDelivered(p)
}

// tell shows the user a notice of ours; nil is none.
func (s *session) tell(n *agent.Notice) {
	if n != nil {
		s.normalizer.Add(n, s.step)
	}
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
	if s.turn == nil {
		if s.queue.isCancelled() {
			s.cancelPendingQuestion()
		}
		if e := s.ending; !e.until.IsZero() && !time.Now().Before(e.until) {
			s.peers.agent.Abandon(e.turnID)
			s.ending = ending{}
		}
		return
	}
	if !s.queue.isCancelled() {
		return
	}
	t := s.turn
	if t.deadline.IsZero() {
		t.deadline = time.Now().Add(cancelGrace)
		s.refuseAll()
	}
	if !time.Now().Before(t.deadline) {
		s.logger().Info("the agent did not end a cancelled turn in time")
		s.peers.agent.Abandon(t.id)
		s.normalizer.Cancel(s.step)
	}
}

// cancelPendingQuestion ends a turn that waits for the next prompt, which is no
// longer an answer. Later events of that turn are dropped.
func (s *session) cancelPendingQuestion() {
	s.ending = ending{s.pendingQuestion.question.turnID, time.Now().Add(cancelGrace)}
	s.refuseAll()
	s.normalizer.Cancel(s.step)
	s.queue.endCancel()
}

// show sends the updates of a step. The normalizer calls it.
func (s *session) show(step normalize.Step) {
	switch e := step.Event.(type) {
	case *agent.TextDelta:
		s.memory.add(e.Text)
		s.record.text(e)
		s.showText(v1.AgentMessage, e.MessageID, e.Text, e.Ends)
		return
	case *agent.ThinkingDelta:
		s.record.text(e)
		s.showText(v1.AgentThought, e.MessageID, e.Thinking, e.Ends)
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
		s.noteHint(e)
		return
	}
	if step.End {
		s.tellHintsAtEnd()
	}
	s.record.step(step)
	if e, ok := step.Event.(*agent.Introduction); ok {
		s.setup.introduce(e)
		s.memory.introduce(e)
	}
	s.showUpdates(step)
	if s.peers.client.shows.Events && mapv1.Private(step) {
		s.showPrivate(step.Event)
	}
	if step.Options != nil {
		if e, ok := step.Event.(*agent.ConfigOptions); ok && len(step.Options) < len(e.Options) {
			s.logger().Warn("the agent has options that cannot be shown", "shown", len(step.Options), "options", len(e.Options))
		}
		s.choices.confirm(step.Options)
	}
	switch e := step.Event.(type) {
	case *agent.ConfirmationRequested:
		s.confirm(step, e)
	case *agent.QuestionAsked:
		s.question(step, e)
	case *agent.ToolEnd:
		s.looks.forget(step.Tool)
		s.settle(step)
	case *agent.EditorRequested:
		s.useEditor(e)
	case *agent.ConfirmationResolved, *agent.QuestionAnswered, *agent.SubagentEnd:
		s.settle(step)
	}
	if step.End {
		s.refuseAll()
		s.sayNothing(step.Event)
		s.finish(step.Event)
	}
}

// showUpdates sends the updates of a step.
func (s *session) showUpdates(step normalize.Step) {
	updates := mapv1.Map(step, s.peers.client.shows)
	if s.children != nil {
		s.children.show(step, updates, s.updateOf)
		return
	}
	for _, u := range updates {
		s.update(u)
	}
}

// sessionOf is the id of the session in which a call is shown.
func (s *session) sessionOf(t *normalize.Tool) string {
	if s.children == nil {
		return s.peers.id
	}
	return s.children.of(t)
}

// sayNothing says that there is no answer, where a turn ends in good order and
// has shown nothing: editors show an empty message then, or none.
func (s *session) sayNothing(end agent.Event) {
	if s.turn == nil || s.turn.said || s.queue.isCancelled() || !mapv1.EndsWell(end) {
		return
	}
	for _, u := range mapv1.Map(mapv1.NoAnswer(s.turn.id), s.peers.client.shows) {
		s.update(u)
	}
}

// finish answers the prompt. Every update of the turn is in the stream by then.
func (s *session) finish(end agent.Event) {
	s.logger().Info("a turn has ended", "end", end.Type())
	s.turn = nil
	s.memory.end()
	s.record.sync()
	s.looks.forgetAll()
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
