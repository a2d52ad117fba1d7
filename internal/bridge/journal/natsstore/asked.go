package natsstore

import (
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Asked notes that a session waits for an answer. decision is the record that is kept
// if its server dies: a JSON object with time and toolCallId, or nil for none. It does
// not wait.
func (s *Store) Asked(session, id string, decision []byte) {
	if o := s.sessions.find(session); o != nil {
		o.questions.note(newQuestion(id, decision), nil)
	}
}

// Answered notes an answer, and has decision kept in place of the one before. kept
// waits until that is so, however often the server dies then. The error is
// [journal.ErrFenced] if another server has the session: then the answer does not
// count. While the store cannot be reached it waits no longer, and the answer counts.
func (s *Store) Answered(session, id string, decision []byte) (kept func() error) {
	o := s.sessions.find(session)
	if o == nil {
		return func() error { return nil }
	}
	one, told := newQuestion(id, decision), make(chan error, 1)
	one.Answered = true
	o.questions.note(one, told)
	return func() error { return s.await(told) }
}

// await waits for an outcome as long as the server may take.
func (s *Store) await(told <-chan error) error {
	limit := settleTime
	if s.link.isAway() {
		limit = 0
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case err := <-told:
		if errors.Is(err, journal.ErrFenced) {
			return err
		}
	case <-late.C:
		s.link.noteAway()
	case <-s.link.ctx.Done():
	}
	return nil
}

// Over says that the journal of a session has all its decisions.
func (s *Store) Over(session string) {
	if o := s.sessions.find(session); o != nil {
		o.questions.clear()
	}
}
