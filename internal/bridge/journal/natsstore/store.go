package natsstore

import (
	"errors"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// A Store stores sessions in a NATS server. Create one with [Open].
type Store struct {
	cfg       Config
	id        string // this server's unique id
	conn      *connection
	archive   *archive
	owners    jetstream.KeyValue
	questions jetstream.KeyValue
	lifetime  time.Duration // of leases
	sessions  sessions
	unsent    atomic.Int64 // unsent bytes of all sessions
}

var (
	_ journal.Keeper       = (*Store)(nil)
	_ journal.LineAppender = (*owned)(nil)
	_ journal.Settler      = (*owned)(nil)
)

// unique returns a unique name.
func unique() string { return nats.NewInbox()[len(nats.InboxPrefix):] }

// Close closes all open sessions and the connection.
func (s *Store) Close() error {
	var err error
	for _, o := range s.sessions.list() {
		err = errors.Join(err, o.Close())
		if e := o.failure(); e == nil {
			err = errors.Join(err, fmt.Errorf("the end of session %s was not saved: %w", o.header.ID, errAway))
		}
	}
	s.conn.close()
	return err
}

// Create implements [journal.Store].
func (s *Store) Create(h journal.Header) (journal.Journal, error) {
	if h.Created.IsZero() {
		h.Created = time.Now()
	}
	line, err := journal.AppendHeader(nil, h)
	if err != nil {
		return nil, fmt.Errorf("save session %s: %w", h.ID, err)
	}
	o := newOwned(s, h)
	err = errAway
	if !s.conn.isAway() {
		err = o.begin()
	}
	switch {
	case err == nil:
	case isLasting(err):
		return nil, s.refused(h.ID, err)
	default: // create it there when the server is back
		s.conn.noteAway()
		s.conn.log.Warn("a new session is waiting for the store", "session", h.ID, "error", err)
		o.early = true
	}
	o.backlog.head, o.appended = line, state{Next: 1}
	s.sessions.add(o)
	return o, nil
}

// Own implements [journal.Store].
func (s *Store) Own(id string) (journal.Journal, error) {
	m, err := s.archive.find(id)
	if err != nil {
		return nil, err
	}
	h, err := s.archive.header(m.Subject)
	if err != nil {
		return nil, err
	}
	if h.ID != id {
		return nil, fmt.Errorf("%s: %w", m.Subject, journal.ErrForeign)
	}
	s.sessions.awaitRelease(id)
	if err := s.refuseLiving(id, m); err != nil {
		return nil, s.refused(id, err)
	}
	o := newOwned(s, h)
	if err := o.lease.acquire(); err != nil {
		return nil, s.refused(id, err)
	}
	o.appended, err = o.tail.fence()
	if err == nil {
		err = o.inherit()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock session %s: %w", id, err), o.lease.release())
	}
	s.sessions.add(o)
	return o, nil
}

// refused returns the error of [Store.Own] or [Store.Create]. If another server has the session,
// this one may have it open too: both may have asked an agent that saves its sessions itself,
// before either of them had the lease.
func (s *Store) refused(id string, err error) error {
	if _, owned := errors.AsType[*journal.OwnedError](err); owned && s.sessions.find(id) == nil {
		s.lose(id, err)
	}
	return err
}

// lose says that another server has a session that this one may have open.
func (s *Store) lose(id string, cause error) {
	if lost := s.cfg.Lost; lost != nil {
		s.conn.work.Go(func() { lost(id, cause) })
	}
}

// Read implements [journal.Store].
func (s *Store) Read(id string, from int64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		err := s.awaitSent(id)
		if err != nil {
			yield(journal.Record{}, fmt.Errorf("read session %s: %w", id, err))
			return
		}
		last, err := s.archive.find(id)
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		err = s.archive.read(last, id, from, func(r journal.Record) bool { return yield(r, nil) })
		if err != nil {
			yield(journal.Record{}, fmt.Errorf("read session %s: %s: %w", id, last.Subject, err))
		}
	}
}

// Describe implements [journal.Store].
func (s *Store) Describe(id string) (journal.Summary, error) {
	if err := s.awaitSent(id); err != nil {
		return journal.Summary{}, fmt.Errorf("describe session %s: %w", id, err)
	}
	e, err := s.archive.entry(id)
	if err != nil {
		return journal.Summary{}, err
	}
	return s.archive.describe(e)
}

// awaitSent waits until the server has everything that this process appended to a session
// before the call, which is sent in the background. Until then, the server would only answer
// with a part of it.
func (s *Store) awaitSent(id string) error {
	o := s.sessions.find(id)
	if o == nil {
		return nil
	}
	sent := o.sent()
	if sent == nil {
		return nil
	}
	if err := s.conn.reachable(); err != nil {
		return err
	}
	ctx, cancel := s.conn.call()
	defer cancel()
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return journal.ErrLate
	}
}

// Delete implements [journal.Store].
func (s *Store) Delete(id string) error {
	m, err := s.archive.find(id)
	if err != nil {
		return err
	}
	s.sessions.awaitRelease(id)
	if err := s.refuseLiving(id, m); err != nil {
		return err
	}
	l := s.newLease(id)
	if err := l.acquire(); err != nil {
		return err
	}
	ctx, cancel := s.conn.call()
	defer cancel()
	err = errors.Join(s.archive.purge(ctx, id), s.questions.Purge(ctx, l.key))
	if err = errors.Join(err, l.release()); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	return nil
}
