package natsstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// headroom is reserved for the headers of a message, in bytes.
	headroom = 4 << 10
	// maxPart bounds a part, in bytes, even if the server would accept more: a long
	// part delays the messages of others.
	maxPart = 512 << 10
)

// A tail is the end of a session in the archive, to which its owner adds messages. Each
// message expects the previous one's number, so none arrives once another server has
// written. It belongs to the goroutine that sends, and before that to the one that
// creates it.
type tail struct {
	archive *archive
	session string
	place   string // the end of its subjects
	writer  string // the owner's name as a writer
	// retry calls do until it succeeds, or until the session ends; see [connection.retry].
	retry func(do func(ctx context.Context) error) error

	sent     state  // after the last text
	sequence uint64 // of the last message
	messages int64
}

// add adds lines. after is the session's state after them.
func (t *tail) add(text []byte, after state) error {
	after.Changed = time.Time{}
	for part := 0; len(text) > 0; part++ {
		now := text[:min(len(text), maxPart, int(t.archive.conn.nc.MaxPayload())-headroom)]
		text = text[len(now):]
		m := nats.NewMsg(recordsPrefix + t.place)
		m.Data = now
		st := t.sent
		if len(text) == 0 {
			st = after
		} else {
			m.Header.Set(moreHeader, "1")
		}
		if part > 0 || len(text) > 0 {
			m.Header.Set(partHeader, strconv.Itoa(part))
		}
		if st.Next == 0 {
			st.Next = 1 // the header is not complete yet
		}
		if err := t.prepare(m, st); err != nil {
			return err
		}
		if err := t.retry(func(ctx context.Context) error { return t.publish(ctx, m) }); err != nil {
			return err
		}
	}
	t.sent = after
	return nil
}

// prepare sets the headers of the session's next message.
func (t *tail) prepare(m *nats.Msg, st state) error {
	if err := setHeader(m.Header, stateHeader, st); err != nil {
		return err
	}
	t.messages++
	m.Header.Set(writerHeader, t.writer+" "+strconv.FormatInt(t.messages, 10))
	return nil
}

// publish sends the next message. It may be called again if it fails.
func (t *tail) publish(ctx context.Context, m *nats.Msg) error {
	ack, err := t.archive.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(t.sequence), jetstream.WithRetryAttempts(0))
	if err == nil {
		t.sequence = ack.Sequence
		return nil
	}
	if !isConflict(err) {
		return err
	}
	last, failed := t.archive.stream.GetLastMsgForSubject(ctx, m.Subject)
	switch {
	case errors.Is(failed, jetstream.ErrMsgNotFound) && t.sequence == 0:
		return errAway // the conflicting message is gone
	case errors.Is(failed, jetstream.ErrMsgNotFound):
		return fmt.Errorf("%w, and has deleted it", journal.ErrFenced)
	case failed != nil:
		return failed
	case last.Header.Get(writerHeader) == m.Header.Get(writerHeader):
		t.sequence = last.Sequence // only the response was lost
		return nil
	case last.Sequence == t.sequence:
		return errAway // the server was not sure
	}
	return journal.ErrFenced
}

// rename sends a title, and deletes the earlier ones.
func (t *tail) rename(to title) error {
	subject, a := titlesPrefix+t.place, t.archive
	return t.retry(func(ctx context.Context) error {
		last, err := a.stream.GetLastMsgForSubject(ctx, subject)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if err == nil && titleOf(last.Header).ByUser && !to.ByUser {
			return nil
		}
		m := nats.NewMsg(subject)
		if err := setHeader(m.Header, titleHeader, to); err != nil {
			return err
		}
		if _, err := a.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0)); err != nil {
			return err
		}
		if err := a.stream.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeKeep(1)); err != nil {
			a.conn.log.Debug("an old title could not be deleted", "session", t.session, "error", err) // it is in no list
		}
		return nil
	})
}

// fence writes to a session after its lease was acquired, so that the previous owner no
// longer can. It also determines the session's last message and state.
func (t *tail) fence() (state, error) {
	for {
		last, err := t.archive.last(recordsPrefix + t.place)
		if err != nil {
			return state{}, err
		}
		st, err := stateOf(last.Header)
		if err != nil {
			return state{}, fmt.Errorf("%s: %w", last.Subject, err)
		}
		st.Changed = st.changed(last.Time)
		t.sequence = last.Sequence
		m := nats.NewMsg(last.Subject)
		err = t.prepare(m, st)
		if err == nil { // don't retry: the caller can
			err = t.archive.conn.try(func(ctx context.Context) error { return t.publish(ctx, m) })
		}
		if errors.Is(err, journal.ErrFenced) {
			continue // the previous owner was still writing
		}
		if err != nil {
			return state{}, err
		}
		t.sent = st
		return st, nil
	}
}
