package bridge

import (
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/bridge/mapv1"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// A turn is what runs between a prompt and its answer. It belongs to the
// session's goroutine.
type turn struct {
	id       string // as the agent knows it
	asks     []*ask
	deadline time.Time // set once it is cancelled
}

// start gives the agent a prompt, or the answer that it waits for.
func (s *session) start(p *prompt) {
	if q := s.held; q != nil {
		s.wait(nil)
		s.turn = &turn{id: q.turnID}
		p.turnID = q.turnID
		s.answerHeld(q, flatten(p.blocks))
		s.given(p)
		s.holdNext()
		return
	}
	s.turn = &turn{id: p.turnID}
	s.tracker.Begin(p.turnID)
	s.showLate()
	err := s.agent.Prompt(agent.Prompt{
		Type:      agent.CommandPrompt,
		SessionID: s.id,
		TurnID:    p.turnID,
		Cwd:       s.cwd,
		Text:      flatten(p.blocks),
		Blocks:    p.blocks,
	})
	if err != nil {
		s.tracker.Fail(&agent.Error{Error: err.Error(), Code: "agent_start_failed"}, s.step)
		return
	}
	s.given(p)
}

// given notes that the agent has the prompt. A cancel that came before could
// not be passed on; it is now.
func (s *session) given(p *prompt) {
	s.mu.Lock()
	p.given = true
	cancelled := p.cancelled
	s.mu.Unlock()
	if cancelled {
		s.tellCancel(p.turnID)
	}
}

func (s *session) tellCancel(turnID string) {
	s.agent.Cancel(agent.Cancel{Type: agent.CommandCancel, SessionID: s.id, TurnID: turnID})
}

// cancel cancels the running prompt and those that wait. It is called by the
// reader, and tells the agent at once: the session's goroutine may be waiting
// for an editor that does not read.
func (s *session) cancel() {
	s.mu.Lock()
	// Those that wait are answered in their turn, behind the running one.
	for _, p := range s.queue {
		p.cancelled = true
	}
	current := s.current
	s.mu.Unlock()
	if current != nil {
		s.cancelPrompt(current)
	}
	s.poke()
}

// cancelPrompt answers a prompt that waits, and cancels one that runs.
func (s *session) cancelPrompt(p *prompt) {
	s.mu.Lock()
	i := slices.Index(s.queue, p)
	if i >= 0 {
		s.queue = slices.Delete(s.queue, i, i+1)
	}
	tell := p.given && !p.cancelled
	p.cancelled = true
	s.mu.Unlock()
	switch {
	case i >= 0:
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
	case tell:
		s.tellCancel(p.turnID)
	}
	s.poke()
}

func (s *session) isCancelled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current != nil && s.current.cancelled
}

// checkCancel withdraws what is asked in a cancelled turn, and ends the turn
// when the agent has had its time to do so.
func (s *session) checkCancel() {
	if !s.isCancelled() {
		return
	}
	t := s.turn
	if t.deadline.IsZero() {
		t.deadline = time.Now().Add(cancelGrace)
		s.withdrawAll()
	}
	if !time.Now().Before(t.deadline) {
		s.conn.log.Info("the agent did not end a cancelled turn in time", "session", s.id, "turn", t.id)
		s.agent.Abandon(t.id)
		s.tracker.Cancel(s.step)
	}
}

// show sends what a step becomes. It is called by the tracker.
func (s *session) show(step track.Step) {
	switch e := step.Event.(type) {
	case *agent.TextDelta:
		s.showText(v1.AgentMessage, e.MessageID, e.Text, e.Ends)
		return
	case *agent.ThinkingDelta:
		s.showText(v1.AgentThought, e.MessageID, e.Thinking, e.Ends)
		return
	case *agent.OptionRefused:
		if s.refuse(e) {
			return // the answer says so
		}
	}
	for _, u := range mapv1.Map(step, s.client.shows) {
		s.update(u)
	}
	if s.client.shows.Events && mapv1.Private(step) {
		s.showPrivate(step.Event)
	}
	if step.Options != nil {
		s.confirmChoices(step)
	}
	switch e := step.Event.(type) {
	case *agent.ConfirmationRequested:
		s.confirm(step, e)
	case *agent.QuestionAsked:
		s.question(step, e)
	case *agent.ConfirmationResolved, *agent.QuestionAnswered, *agent.ToolEnd:
		s.settle(step)
	}
	if step.End {
		s.finish(step.Event)
	}
}

// finish answers the prompt. Every update of the turn is in the stream by now.
func (s *session) finish(end agent.Event) {
	s.withdrawAll()
	s.turn = nil
	s.mu.Lock()
	p := s.current
	s.current = nil
	cancelled := p != nil && p.cancelled
	s.mu.Unlock()
	if p == nil {
		return
	}
	if cancelled {
		p.request.reply(v1.PromptResponse{StopReason: v1.StopCancelled})
		return
	}
	stop, err := mapv1.Stop(end)
	if err != nil {
		p.request.fail(err)
		return
	}
	p.request.reply(v1.PromptResponse{StopReason: stop})
}
