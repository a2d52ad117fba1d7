package natsstore

import (
	"errors"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Asked records that a session waits for an answer. decision is the record to save if
// this server dies: a JSON object with time and toolCallId, or nil. Asked does not
// block.
func (s *Store) Asked(session, id string, decision []byte) {
	if o := s.sessions.find(session); o != nil {
		o.questions.note(newQuestion(id, decision), nil)
	}
}

// Answered records an answer, and replaces the saved decision. kept blocks until the
// new decision is saved, so that it survives this server. It returns
// [journal.ErrFenced] if another server has the session; then the answer does not
// count. If the store is unreachable, kept stops waiting, and the answer counts.
func (s *Store) Answered(session, id string, decision []byte) (saved func() error) {
	o := s.sessions.find(session)
	if o == nil {
		return func() error { return nil }
	}
	one, result := newQuestion(id, decision), make(chan error, 1)
	one.Answered = true
	o.questions.note(one, result)
	return func() error { return s.await(result) }
}

// await waits for an outcome, with a timeout.
func (s *Store) await(result <-chan error) error {
	limit := settleTime
	if s.conn.isAway() {
		limit = 0
	}
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case err := <-result:
		if errors.Is(err, journal.ErrFenced) {
			return err
		}
	case <-late.C:
		s.conn.noteAway()
	case <-s.conn.ctx.Done():
	}
	return nil
}

// Over records that a session's journal has all its decisions.
func (s *Store) Over(session string) {
	if o := s.sessions.find(session); o != nil {
		o.questions.clear()
	}
}
