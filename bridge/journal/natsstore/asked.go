package natsstore

import (
	"errors"
	"slices"
	"time"

	"github.com/turnwire/turnwire/bridge/journal"
)

// ownedBy returns the session that this process owns and keeps, or nil.
func (s *Store) ownedBy(id string) *owned {
	s.mu.Lock()
	defer s.mu.Unlock()
	for o := range s.owned {
		if o.header.ID == id {
			return o
		}
	}
	return nil
}

// Asked notes that a session waits for an answer. decision is the record that is kept
// if its server dies: a JSON object with time and toolCallId, or nil for none. It does
// not wait.
func (s *Store) Asked(session, id string, decision []byte) {
	if o := s.ownedBy(session); o != nil {
		o.questions.change(func(list []question) []question {
			return note(list, question{ID: id, Asked: time.Now().UTC().Truncate(time.Millisecond), Decision: slices.Clone(decision)})
		}, nil)
	}
}

// Answered notes an answer, and has decision kept in place of the one before. kept
// waits until that is so, however often the server dies then. The error is
// [journal.ErrFenced] if another server has the session: then the answer does not
// count. While the store cannot be reached it waits no longer, and the answer counts.
func (s *Store) Answered(session, id string, decision []byte) (kept func() error) {
	o := s.ownedBy(session)
	if o == nil {
		return func() error { return nil }
	}
	told := make(chan error, 1)
	o.questions.change(func(list []question) []question {
		return note(list, question{ID: id, Asked: time.Now().UTC().Truncate(time.Millisecond), Decision: slices.Clone(decision), Answered: true})
	}, told)
	return func() error { return s.await(told) }
}

// await waits for an outcome as long as the server may take.
func (s *Store) await(told <-chan error) error {
	limit := settleTime
	if s.isAway() {
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
		s.away.Store(true)
	case <-s.ctx.Done():
	}
	return nil
}

// Over says that the journal of a session has all its decisions.
func (s *Store) Over(session string) {
	o := s.ownedBy(session)
	if o == nil {
		return
	}
	o.questions.mu.Lock()
	none := len(o.questions.list) == 0
	o.questions.mu.Unlock()
	if !none {
		o.questions.change(func([]question) []question { return nil }, nil)
	}
}

// note adds a question to a list, or changes the one that is there, which was asked
// before.
func note(list []question, one question) []question {
	size := len(one.Decision)
	for i, there := range list {
		if there.ID == one.ID {
			list[i].Decision, list[i].Answered = one.Decision, one.Answered
			return list
		}
		size += len(there.Decision)
	}
	if size > maxQuestions {
		return list
	}
	return append(list, one)
}
