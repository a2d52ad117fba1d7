package events

import (
	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// advance answers a prompt whose turn waits for the next prompt, and starts the next
// prompt.
func (s *session) advance() {
	for {
		if s.turn.running && s.pending.isPending() {
			s.pause()
		}
		if s.turn.id != "" {
			return
		}
		p, cancelled := s.queue.next()
		switch {
		case p == nil:
			return
		case cancelled:
			s.out.sendQueued()
			p.answerCancelled()
		default:
			p.startsTurn()
			s.start(p)
		}
	}
}

// start passes a prompt to the agent. If a question is waiting for the prompt, it
// passes the prompt on as the answer.
func (s *session) start(p *prompt) {
	if q := s.pending.takePending(); q != nil {
		s.turn.begin(p.turnID)
		s.hints.begin()
		command := s.command(p)
		s.record.prompt(command)
		s.cursors.prompt() // no copy can end here, because the turn has begun
		q.answerIn(command.Text)
		s.queue.markDelivered(p)
		s.pending.sendDeferred()
		return
	}
	s.turn.begin(p.turnID)
	s.hints.begin()
	s.stream.begin(p.turnID)
	told := s.withParts(p)
	command := s.command(p)
	s.memory.begin(command.Text)
	s.record.prompt(command)
	s.out.begin()
	s.pending.confirmations.parts.showLate()
	if told != nil {
		s.out.update(&v1.MessageChunk{Kind: v1.UserMessage, Content: &v1.TextBlock{Text: v1.NewText(flatten(told))}})
	}
	s.announceCursor(p)
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

// command converts a prompt to the form that agents receive.
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

// checkCancel refuses the open requests of a cancelled turn, and ends the turn if the
// agent did not do so in time.
func (s *session) checkCancel() {
	cancelled := s.queue.isCancelled()
	switch {
	case s.turn.running && cancelled && !s.turn.isCancelled():
		s.turn.cancel()
		s.pending.refuseAll()
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
	cancelUnread(s.queue)
	s.stream.cancel()
}

// cancelPendingQuestion ends a turn that waits for the next prompt; that prompt is no
// longer an answer. Later events of the turn are dropped.
func (s *session) cancelPendingQuestion() {
	s.turn.leave(s.queue.askingTurn())
	s.pending.refuseAll()
	s.stream.cancel()
	s.queue.endCancel()
}

// pause answers the prompt although the agent's turn continues, because editors do not
// let a user type while a prompt runs. The next prompt is the answer.
func (s *session) pause() {
	s.stream.flush() // no update of this turn may follow its response
	p := s.queue.pause()
	if p == nil {
		s.pending.refuseAll() // the turn continues to its end
		return
	}
	s.turn.end()
	p.request.Reply(v1.PromptResponse{StopReason: v1.StopEndTurn})
}
