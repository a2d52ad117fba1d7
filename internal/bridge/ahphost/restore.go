package ahphost

import (
	"errors"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

var errNotRestored = errors.New("the agent can't go back to this turn")

// restore handles a client's truncation: VS Code's "Restore Checkpoint" sends it with the next
// message. A fork of the agent's session takes its place; the agent's session stays as it is.
// Files don't change.
func (s *session) restore(d *dispatched, a *ahp.Truncated) error {
	s.turn.endUnsolicited()
	if s.turn.runs() || s.chat.active() != nil {
		return errors.New("a turn is running: cancel it first")
	}
	keeps, ok := s.chat.until(a.TurnID)
	if !ok {
		return errors.New("the turn is unknown, or too old")
	}
	first := s.rewinds.first(keeps)
	if first == len(s.rewinds.turns) {
		s.truncate(d, a)
		return nil
	}
	cursor := s.rewinds.cursor(first)
	if cursor == "" {
		s.notRestored(errNotRestored)
		return errNotRestored
	}
	s.gate.shut()
	s.remote.fork(cursor, func(err error) {
		if err == nil {
			s.rewinds.cut(first)
			s.truncate(d, a)
		} else {
			s.notRestored(err)
			d.reject(err.Error())
		}
		s.gate.open()
		s.unattend()
	})
	return nil
}

// truncate shows the truncation.
func (s *session) truncate(d *dispatched, a *ahp.Truncated) {
	s.chat.truncate(d.origin(), a)
	s.save()
}

// notRestored makes the next turn say that the agent still knows everything. VS Code
// doesn't show why an action was rejected.
func (s *session) notRestored(why error) {
	s.queue.warning = "The checkpoint was not restored: " + why.Error() + ". The agent still knows the later messages."
}
