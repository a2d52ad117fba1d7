package natsstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxQuestions bounds a session's saved questions, in bytes.
const maxQuestions = 256 << 10

// A question is a permission request or a form that waits for an answer, or whose
// answer may not be in the journal yet.
type question struct {
	ID       string          `json:"id"`
	Asked    time.Time       `json:"asked"`              // by the owner's clock, as the decision's time
	Decision json.RawMessage `json:"decision,omitempty"` // saved in case the owner dies; empty for a form
	Answered bool            `json:"answered,omitempty"`
}

func newQuestion(id string, decision []byte) question {
	return question{ID: id, Asked: time.Now().UTC().Truncate(time.Millisecond), Decision: slices.Clone(decision)}
}

// A questionnaire is the content of a session's entry.
type questionnaire struct {
	Writer    string     `json:"writer"` // the owner's
	Questions []question `json:"questions,omitempty"`
}

// questions are the saved questions of a session that this process owns. The entry is
// changed by compare-and-set: an owner's answer counts unless another owner has the
// session by then. The mutex is not held while the server is called.
type questions struct {
	conn   *connection
	bucket jetstream.KeyValue
	lease  *lease
	retry  func(do func(ctx context.Context) error) error // see [owned.retry]
	fail   func(error)                                    // stops saving the session

	mu      sync.Mutex
	list    []question
	waiting []chan error // receive the outcome when the list is saved
	dirty   bool
	idle    chan struct{} // nil unless a goroutine is writing, which closes it when done

	revision uint64 // of the entry; 0 for none. The writing goroutine owns it
}

// note adds or updates a question. told, which may be nil, receives the outcome.
func (q *questions) note(one question, result chan error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = note(q.list, one)
	if result != nil {
		q.waiting = append(q.waiting, result)
	}
	q.changed()
}

// clear removes all questions.
func (q *questions) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) > 0 {
		q.list = nil
		q.changed()
	}
}

// changed starts writing the list. The caller holds the lock.
func (q *questions) changed() {
	q.dirty = true
	if q.idle == nil {
		q.idle = make(chan struct{})
		q.conn.work.Go(q.write)
	}
}

// write writes the list until nothing has changed.
func (q *questions) write() {
	for {
		q.mu.Lock()
		if !q.dirty {
			close(q.idle)
			q.idle = nil
			q.mu.Unlock()
			return
		}
		list, waiting := slices.Clone(q.list), q.waiting
		q.dirty, q.waiting = false, nil
		q.mu.Unlock()
		err := q.retry(func(ctx context.Context) error { return q.save(ctx, list) })
		for _, result := range waiting {
			result <- err
		}
		switch {
		case errors.Is(err, journal.ErrFenced):
			q.fail(err)
		case err != nil:
			q.conn.log.Warn("open questions were not saved", "session", q.lease.session, "error", err)
		}
	}
}

// save writes the entry. If the entry was changed meanwhile, save returns an error that
// causes a retry, unless the session's new owner changed it.
func (q *questions) save(ctx context.Context, list []question) error {
	conflict, err := q.swap(ctx, list)
	if !conflict {
		return err
	}
	there, revision, err := q.entry(ctx)
	switch {
	case err != nil:
		return err
	case revision == 0 && q.revision == 0:
		return errAway // the conflicting entry is gone
	case revision == 0:
		return fmt.Errorf("%w, and ended there", journal.ErrFenced)
	case there.Writer != q.lease.owner.Writer:
		if holder, _ := q.lease.holder(); holder.Writer != q.lease.owner.Writer {
			return journal.ErrFenced
		}
	}
	q.revision = revision // our own response was lost, or the entry is from a previous owner
	return errAway
}

// swap writes the entry unless it changed since it was last written or read. conflict
// reports whether it did.
func (q *questions) swap(ctx context.Context, list []question) (conflict bool, err error) {
	text, err := json.Marshal(questionnaire{q.lease.owner.Writer, list})
	if err != nil {
		return false, err
	}
	var revision uint64
	if q.revision == 0 {
		revision, err = q.bucket.Create(ctx, q.lease.key, text)
	} else {
		revision, err = q.bucket.Update(ctx, q.lease.key, text, q.revision)
	}
	if err == nil {
		q.revision = revision
	}
	return isConflict(err) || errors.Is(err, jetstream.ErrKeyExists), err
}

// entry reads the entry. The revision is 0 if the entry is missing. An unreadable entry
// counts as empty.
func (q *questions) entry(ctx context.Context) (there questionnaire, revision uint64, err error) {
	e, err := q.bucket.Get(ctx, q.lease.key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return there, 0, nil
	}
	if err != nil {
		return there, 0, err
	}
	if exactjson.Unmarshal(e.Value(), &there) != nil {
		there = questionnaire{}
	}
	return there, e.Revision(), nil
}

// adopt takes over the entry: from then on, answers to the previous owner no longer
// count. It returns the questions in the entry.
func (q *questions) adopt() (left []question, err error) {
	for again := true; again; {
		var there questionnaire
		ctx, cancel := q.conn.call()
		there, q.revision, err = q.entry(ctx)
		again = false
		if err == nil {
			left = there.Questions
			again, err = q.swap(ctx, left)
		}
		cancel()
		if unreachable := q.conn.reachable(); unreachable != nil {
			return nil, unreachable
		}
	}
	return left, err
}

// forget removes the entry at the end of the session, unless a question is open. It
// waits for a running write, but no longer than a call may take.
func (q *questions) forget() {
	ctx, cancel := q.conn.call()
	defer cancel()
	q.mu.Lock()
	idle, open := q.idle, len(q.list) > 0
	q.mu.Unlock()
	if open {
		return
	}
	if idle != nil {
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
	if q.revision == 0 {
		return
	}
	if err := q.bucket.Delete(ctx, q.lease.key, jetstream.LastRevision(q.revision)); err != nil && !isConflict(err) {
		q.conn.log.Debug("an entry without questions could not be deleted", "session", q.lease.session, "error", err)
	}
}

// note adds a question to a list, or updates it if it is there. An updated question
// keeps its time.
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
