package natsstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/bridge/journal"
)

const (
	// headroom is what the headers of a message need, in bytes.
	headroom = 4 << 10
	// maxPart bounds a part where the server would take more, in bytes: a long one
	// delays the messages of others.
	maxPart = 512 << 10
	// retryWait is the pause before something is sent again.
	retryWait = 100 * time.Millisecond
)

// sendAll sends what waits until nothing does.
func (o *owned) sendAll() {
	for {
		o.mu.Lock()
		text, after, named := o.queue, o.appended, o.title
		o.queue, o.title = nil, nil
		if o.failed != nil || len(text) == 0 && named == nil {
			close(o.idle)
			o.idle = nil
			o.mu.Unlock()
			return
		}
		o.mu.Unlock()
		err := o.beginLate()
		if err == nil {
			err = o.sendText(text, after)
		}
		o.store.held.Add(-int64(len(text)))
		if err == nil && named != nil {
			err = o.sendTitle(*named)
		}
		if err != nil {
			o.fail(err)
		}
	}
}

// beginLate takes a session that could not be taken when it was made.
func (o *owned) beginLate() error {
	if !o.early {
		return nil
	}
	err := o.retry(func(context.Context) error { return o.begin() })
	o.early = err != nil
	return err
}

// sendText sends lines, after which the session is in a state.
func (o *owned) sendText(text []byte, after state) error {
	after.Changed = time.Time{}
	for part := 0; len(text) > 0; part++ {
		now := text[:min(len(text), maxPart, int(o.store.nc.MaxPayload())-headroom)]
		text = text[len(now):]
		m := nats.NewMsg(recordsPrefix + o.place)
		m.Data = now
		st := o.sent
		if len(text) == 0 {
			st = after
		} else {
			m.Header.Set(moreHeader, "1")
		}
		if part > 0 || len(text) > 0 {
			m.Header.Set(partHeader, strconv.Itoa(part))
		}
		if st.Next == 0 {
			st.Next = 1 // the header is not whole yet
		}
		if err := o.sendMessage(m, st); err != nil {
			return err
		}
	}
	o.sent = after
	return nil
}

// sendMessage sends the next message of the session until the server has it, or
// says why it never will.
func (o *owned) sendMessage(m *nats.Msg, st state) error {
	if err := setHeader(m.Header, stateHeader, st); err != nil {
		return err
	}
	o.messages++
	m.Header.Set(writerHeader, o.writer+" "+strconv.FormatInt(o.messages, 10))
	return o.retry(func(ctx context.Context) error {
		ack, err := o.store.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(o.sequence), jetstream.WithRetryAttempts(0))
		if err == nil {
			o.sequence = ack.Sequence
			return nil
		}
		if !isConflict(err) {
			return err
		}
		last, failed := o.store.stream.GetLastMsgForSubject(ctx, m.Subject)
		switch {
		case errors.Is(failed, jetstream.ErrMsgNotFound) && o.sequence == 0:
			return errAway // what was in the way is gone
		case errors.Is(failed, jetstream.ErrMsgNotFound):
			return fmt.Errorf("%w, and has deleted it", journal.ErrFenced)
		case failed != nil:
			return failed
		case last.Header.Get(writerHeader) == m.Header.Get(writerHeader):
			o.sequence = last.Sequence // only the answer was lost
			return nil
		case last.Sequence == o.sequence:
			return errAway // the server was not sure
		}
		return journal.ErrFenced
	})
}

// sendTitle sends a title, and has the server forget those before.
func (o *owned) sendTitle(t title) error {
	subject := titlesPrefix + o.place
	return o.retry(func(ctx context.Context) error {
		last, err := o.store.stream.GetLastMsgForSubject(ctx, subject)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if err == nil && titleOf(last.Header).ByUser && !t.ByUser {
			return nil
		}
		m := nats.NewMsg(subject)
		if err := setHeader(m.Header, titleHeader, t); err != nil {
			return err
		}
		if _, err := o.store.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0)); err != nil {
			return err
		}
		if err := o.store.stream.Purge(ctx, jetstream.WithPurgeSubject(subject), jetstream.WithPurgeKeep(1)); err != nil {
			o.store.cfg.Log.Debug("an old title stays", "session", o.header.ID, "error", err) // it is in no list
		}
		return nil
	})
}

// retry tries something until it is done, it cannot be done, or the session is
// given up.
func (o *owned) retry(try func(ctx context.Context) error) error {
	for {
		ctx, cancel := o.store.call()
		err := try(ctx)
		cancel()
		if err == nil {
			o.store.away.Store(false)
			return nil
		}
		if isLasting(err) {
			return fmt.Errorf("keep the session: %w", err)
		}
		if o.impatient {
			return err
		}
		o.store.away.Store(true)
		o.mu.Lock()
		failed := o.failed
		o.mu.Unlock()
		if failed != nil {
			return failed
		}
		pause := time.NewTimer(retryWait)
		select {
		case <-pause.C:
		case <-o.store.ctx.Done():
			pause.Stop()
			return os.ErrClosed
		}
	}
}

// isLasting reports whether trying again is of no use.
func isLasting(err error) bool {
	_, owned := errors.AsType[*journal.OwnedError](err)
	return owned || errors.Is(err, journal.ErrFenced) || errors.Is(err, journal.ErrExists) || errors.Is(err, os.ErrClosed) || isFinal(err)
}

// isFinal reports whether the server will not take a message later either: it has
// no room, or does not allow it.
func isFinal(err error) bool {
	if errors.Is(err, nats.ErrConnectionClosed) || errors.Is(err, nats.ErrMaxPayload) {
		return true
	}
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && e.APIError().Code < 500
}

// fence writes to a session whose lease was taken, so that whoever had it before
// can not. It finds out where the session ends.
func (o *owned) fence() error {
	o.impatient = true
	defer func() { o.impatient = false }()
	for {
		last, err := o.store.last(recordsPrefix + o.place)
		if err != nil {
			return err
		}
		st, err := stateOf(last.Header)
		if err != nil {
			return fmt.Errorf("%s: %w", last.Subject, err)
		}
		st.Changed = st.changed(last.Time)
		o.sequence = last.Sequence
		err = o.sendMessage(nats.NewMsg(last.Subject), st)
		if errors.Is(err, journal.ErrFenced) {
			continue // its owner was there still
		}
		if err != nil {
			return err
		}
		o.sent, o.appended = st, st
		return nil
	}
}

// changed is when a session was changed last, if its last message has come at a
// time.
func (s state) changed(at time.Time) time.Time {
	if !s.Changed.IsZero() {
		return s.Changed
	}
	return at
}
