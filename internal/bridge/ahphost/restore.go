package ahphost

import (
	"errors"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A restoration goes back to an earlier turn, as VS Code's "Restore Checkpoint" does with
// the next message. A fork of the agent's session takes its place; the agent's session
// stays as it is. Files don't change. The host's mutex guards it.
type restoration struct {
	rewinds *rewinds
	running bool
	waiting []*dispatched // actions that follow the restoration
}

var errNotRestored = errors.New("the agent can't go back to this turn")

// restore handles a client's truncation.
func (s *session) restore(d *dispatched, a *ahp.Truncated) error {
	s.turn.endUnsolicited()
	if s.turn.runs() || s.chat.active() != nil {
		return errors.New("a turn is running: cancel it first")
	}
	keeps, ok := s.chat.until(a.TurnID)
	if !ok {
		return errors.New("the turn is unknown, or too old")
	}
	r := s.restoration
	first := r.rewinds.first(keeps)
	if first == len(r.rewinds.turns) {
		s.truncate(d, a)
		return nil
	}
	cursor := r.rewinds.cursor(first)
	if cursor == "" {
		s.notRestored(errNotRestored)
		return errNotRestored
	}
	r.running = true
	s.remote.fork(cursor, func(err error) {
		if err == nil {
			r.rewinds.cut(first)
			s.truncate(d, a)
		} else {
			s.notRestored(err)
			d.reject(err.Error())
		}
		waiting := r.waiting
		r.running, r.waiting = false, nil
		for _, d := range waiting {
			if err := s.act(d); err != nil {
				d.reject(err.Error())
			}
		}
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
