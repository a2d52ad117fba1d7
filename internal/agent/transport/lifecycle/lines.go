package lifecycle

import "github.com/turnwire/turnwire/agent"

// send queues an answer for the agent of a [LineBackend]. The answer can
// permit something only in the last turn, and only until that is cancelled. An
// answer without a turn id belongs to the running turn.
func (s *session) send(turnID string, answer, refusal any) {
	c := Command{TurnID: turnID, Line: refusal}
	t := s.current(turnID)
	if turnID == "" {
		t = s.running()
	}
	if t != nil && !t.IsCancelled() {
		c.Line, c.Refusal, c.Cancelled = answer, refusal, t.cancelled
	}
	s.logUnsent(s.lines.Send(c))
}

// Respond implements [agent.EditorUser]. It reports what the editor did, even
// after a cancel.
func (s *session) Respond(r agent.EditorResponse) {
	if box := s.tools(); box != nil && box.Respond(r) || s.lines == nil {
		return
	}
	r.Type = agent.CommandEditor
	s.logUnsent(s.lines.Send(Command{TurnID: r.TurnID, Line: r}))
}

// running returns the last turn, if it has not ended.
func (s *session) running() *Turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.turn == nil || isClosed(s.turn.ended) {
		return nil
	}
	return s.turn
}

func (s *session) logUnsent(err error) {
	if err != nil {
		s.log.Debug("a command was not sent to the agent", "error", err)
	}
}

// setOption sends a choice immediately, so that later prompts are sent later.
func (s *session) setOption(o agent.SetOption) error {
	if s.isClosed() {
		return errClosed
	}
	o.Type = agent.CommandSetOption
	return s.lines.Send(Command{Line: o})
}
