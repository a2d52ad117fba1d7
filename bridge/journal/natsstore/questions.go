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

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxQuestions bounds the questions of a session that are kept, in bytes.
const maxQuestions = 256 << 10

// A question is a request for permission or a form that waits for an answer, or whose
// answer may not be in the journal yet.
type question struct {
	ID       string          `json:"id"`
	Asked    time.Time       `json:"asked"`              // by the clock of the owner, as the decision's time
	Decision json.RawMessage `json:"decision,omitempty"` // what is kept of it if the owner dies; nothing is kept of a form
	Answered bool            `json:"answered,omitempty"`
}

// A questionnaire is the entry of a session.
type questionnaire struct {
	Writer    string     `json:"writer"` // the owner's
	Questions []question `json:"questions,omitempty"`
}

// questions keeps those of a session that this process owns. The entry is changed by
// compare-and-set: an answer that an owner has got counts, unless another one has
// the session by then.
type questions struct {
	owned *owned

	mu      sync.Mutex
	list    []question
	waiting []chan error // told when the list is kept
	dirty   bool
	idle    chan struct{} // nil unless a goroutine writes, which closes it at its end

	revision uint64 // of the entry; 0 for none. It belongs to that goroutine
}

// change changes the list, and has it written. told, which may be nil, gets the
// outcome.
func (q *questions) change(how func(list []question) []question, told chan error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list, q.dirty = how(q.list), true
	if told != nil {
		q.waiting = append(q.waiting, told)
	}
	if q.idle == nil {
		q.idle = make(chan struct{})
		q.owned.store.work.Go(q.write)
	}
}

// write writes the list until it is as it should be.
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
		err := q.owned.retry(func(ctx context.Context) error { return q.put(ctx, list) })
		for _, told := range waiting {
			told <- err
		}
		switch {
		case errors.Is(err, journal.ErrFenced):
			q.owned.fail(err)
		case err != nil:
			q.owned.store.cfg.Log.Warn("open questions are not kept", "session", q.owned.header.ID, "error", err)
		}
	}
}

// put writes the entry.
func (q *questions) put(ctx context.Context, list []question) (err error) {
	o := q.owned
	text, err := json.Marshal(questionnaire{o.writer, list})
	if err != nil {
		return err
	}
	bucket := o.store.questions
	var revision uint64
	if q.revision == 0 {
		revision, err = bucket.Create(ctx, o.key, text)
	} else {
		revision, err = bucket.Update(ctx, o.key, text, q.revision)
	}
	if err == nil {
		q.revision = revision
		return nil
	}
	if !isConflict(err) && !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	there, revision, err := o.entryOfQuestions(ctx)
	switch {
	case err != nil:
		return err
	case revision == 0 && q.revision == 0:
		return errAway // what was in the way is gone
	case revision == 0:
		return fmt.Errorf("%w, and has ended there", journal.ErrFenced)
	case there.Writer != o.writer:
		if lease, _ := o.reader(); lease.Writer != o.writer {
			return journal.ErrFenced
		}
	}
	q.revision = revision // an answer was lost, or what is there is one of the past
	return errAway
}

// entryOfQuestions reads the entry. The revision is 0 if there is none. One that
// cannot be read is an empty one.
func (o *owned) entryOfQuestions(ctx context.Context) (there questionnaire, revision uint64, err error) {
	e, err := o.store.questions.Get(ctx, o.key)
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

// inherit takes over what the owner before has left: from then on no answer that it
// gets counts. What it got, and what nobody has answered, is recorded, unless the
// owner has done so.
func (o *owned) inherit() error {
	q := &o.questions
	var left []question
	err := errAway
	for errors.Is(err, errAway) {
		var there questionnaire
		ctx, cancel := o.store.call()
		there, q.revision, err = o.entryOfQuestions(ctx)
		if err == nil {
			left = there.Questions
			err = o.questions.adopt(ctx, left)
		}
		cancel()
		if unreachable := o.store.reachable(); unreachable != nil {
			return unreachable
		}
	}
	if err != nil || len(left) == 0 {
		return err
	}
	if err := o.recordLeft(left); err != nil {
		return err
	}
	ctx, cancel := o.store.call()
	defer cancel()
	return q.put(ctx, nil)
}

// adopt writes the entry that was read anew, as one of this owner. The error is
// errAway if it has changed meanwhile.
func (q *questions) adopt(ctx context.Context, left []question) error {
	o := q.owned
	text, err := json.Marshal(questionnaire{o.writer, left})
	if err != nil {
		return err
	}
	var revision uint64
	if q.revision == 0 {
		revision, err = o.store.questions.Create(ctx, o.key, text)
	} else {
		revision, err = o.store.questions.Update(ctx, o.key, text, q.revision)
	}
	if isConflict(err) || errors.Is(err, jetstream.ErrKeyExists) {
		return errAway
	}
	q.revision = revision
	return err
}

// recordLeft records what became of questions, but for those of which the journal has
// it.
func (o *owned) recordLeft(left []question) error {
	type decision struct {
		Time time.Time `json:"time"`
		Call string    `json:"toolCallId"`
	}
	var known []decision
	for r, err := range o.store.Read(o.header.ID, 1) {
		if err != nil {
			return err
		}
		var d decision
		if r.Type == journal.TypeDecision && exactjson.Unmarshal(r.Data, &d) == nil {
			known = append(known, d)
		}
	}
	var records []journal.Record
	for _, one := range left {
		var d decision
		if exactjson.Unmarshal(one.Decision, &d) != nil {
			continue // not one of ours
		}
		there := func(k decision) bool { return k.Call == d.Call && !k.Time.Before(one.Asked) }
		if !slices.ContainsFunc(known, there) {
			records = append(records, journal.Record{Time: time.Now(), Type: journal.TypeDecision, Data: one.Decision})
		}
	}
	if err := o.Append(o.Next(), records); err != nil {
		return err
	}
	return o.wait(settleTime)
}

// forget removes the entry at the end of the session, unless a question is open. It
// waits for a write that is under way, until ctx is done.
func (q *questions) forget(ctx context.Context) {
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
	if err := q.owned.store.questions.Delete(ctx, q.owned.key, jetstream.LastRevision(q.revision)); err != nil && !isConflict(err) {
		q.owned.store.cfg.Log.Debug("an entry without questions stays", "session", q.owned.header.ID, "error", err)
	}
}
