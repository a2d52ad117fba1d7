package natsstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/bridge/journal"
)

// A Store keeps sessions in a server of NATS. [Open] makes one.
type Store struct {
	cfg    Config
	id     string // what no other server is called
	nc     *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
	owners jetstream.KeyValue
	lease  time.Duration

	questions jetstream.KeyValue

	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup
	away atomic.Bool               // the server did not answer in time
	back atomic.Pointer[time.Time] // when the connection came back; nil where it never broke
	held atomic.Int64              // bytes that wait to be sent, of all sessions

	mu    sync.Mutex
	owned map[*owned]bool
}

var (
	_ journal.Keeper       = (*Store)(nil)
	_ journal.LineAppender = (*owned)(nil)
	_ journal.Settler      = (*owned)(nil)
)

func newStore(cfg Config, nc *nats.Conn, js jetstream.JetStream, stream jetstream.Stream, owners jetstream.KeyValue, lease time.Duration) *Store {
	s := &Store{cfg: cfg, id: unique(), nc: nc, js: js, stream: stream, owners: owners, lease: lease, owned: make(map[*owned]bool)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.work.Go(s.renewAll)
	return s
}

// unique is a name that nobody else has.
func unique() string { return nats.NewInbox()[len(nats.InboxPrefix):] }

// Close ends the connection. Sessions that are open are given up.
func (s *Store) Close() error {
	s.mu.Lock()
	var open []*owned
	for o := range s.owned {
		open = append(open, o)
	}
	s.mu.Unlock()
	var err error
	for _, o := range open {
		err = errors.Join(err, o.Close())
	}
	s.stop()
	s.work.Wait()
	s.nc.Close()
	return err
}

// call bounds a call of the server.
func (s *Store) call() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, callTimeout)
}

// reachable returns an error at once where a call would only fail in time.
func (s *Store) reachable() error {
	if !s.nc.IsConnected() {
		return fmt.Errorf("%s: %w", Redacted(s.cfg.URL), errAway)
	}
	return nil
}

// isAway reports whether a call of the server would fail, or take long to do so.
func (s *Store) isAway() bool { return s.away.Load() || !s.nc.IsConnected() }

var errAway = errors.New("the store cannot be reached")

// last returns the last message with a subject.
func (s *Store) last(subject string) (*jetstream.RawStreamMsg, error) {
	if err := s.reachable(); err != nil {
		return nil, err
	}
	ctx, cancel := s.call()
	defer cancel()
	m, err := s.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, journal.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("look at the session: %w", err)
	}
	return m, nil
}

// find returns the last message of a session.
func (s *Store) find(id string) (*jetstream.RawStreamMsg, error) {
	return s.last(recordsPrefix + anyPlace(id))
}

// header returns the header of the session with a subject.
func (s *Store) header(subject string) (journal.Header, error) {
	ctx, cancel := s.call()
	defer cancel()
	var p parts
	for seq := uint64(1); ; {
		m, err := s.stream.GetMsg(ctx, seq, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return journal.Header{}, journal.ErrNotFound
		}
		if err != nil {
			return journal.Header{}, fmt.Errorf("look at the session: %w", err)
		}
		text, err := p.add(m.Header, m.Data)
		if err != nil {
			return journal.Header{}, fmt.Errorf("%s: message %d: %w", subject, m.Sequence, err)
		}
		if len(text) > 0 {
			return headerIn(text, subject)
		}
		seq = m.Sequence + 1
	}
}

// Create implements [journal.Store].
func (s *Store) Create(h journal.Header) (journal.Journal, error) {
	if h.Created.IsZero() {
		h.Created = time.Now()
	}
	line, err := journal.AppendHeader(nil, h)
	if err != nil {
		return nil, fmt.Errorf("keep the session %s: %w", h.ID, err)
	}
	o := newOwned(s, h, place(h.Agent, h.Cwd, h.ID))
	err = errAway
	if !s.isAway() {
		err = o.begin()
	}
	switch {
	case err == nil:
	case isLasting(err):
		return nil, err
	default: // it begins when the server is back
		s.away.Store(true)
		s.cfg.Log.Warn("a new session waits for the store", "session", h.ID, "error", err)
		o.early = true
	}
	o.head, o.appended = line, state{Next: 1}
	s.add(o)
	return o, nil
}

// begin takes a session that there is not yet.
func (o *owned) begin() error {
	id := o.header.ID
	m, err := o.store.find(id)
	switch {
	case err == nil:
		return fmt.Errorf("keep the session %s: %s: %w", id, m.Subject, journal.ErrExists)
	case !errors.Is(err, journal.ErrNotFound):
		return fmt.Errorf("keep the session %s: %w", id, err)
	}
	o.leasing.Lock()
	defer o.leasing.Unlock()
	if o.released {
		return os.ErrClosed
	}
	return o.take()
}

// Own implements [journal.Store].
func (s *Store) Own(id string) (journal.Journal, error) {
	m, err := s.find(id)
	if err != nil {
		return nil, err
	}
	h, err := s.header(m.Subject)
	if err != nil {
		return nil, err
	}
	if h.ID != id {
		return nil, fmt.Errorf("%s: %w", m.Subject, journal.ErrForeign)
	}
	o := newOwned(s, h, place(h.Agent, h.Cwd, id))
	if err := o.take(); err != nil {
		return nil, err
	}
	err = o.fence()
	if err == nil {
		err = o.inherit()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take the session %s: %w", id, err), o.release())
	}
	s.add(o)
	return o, nil
}

func (s *Store) add(o *owned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owned[o] = true
}

func (s *Store) remove(o *owned) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.owned, o)
}

// Describe implements [journal.Store].
func (s *Store) Describe(id string) (journal.Summary, error) {
	m, err := s.find(id)
	if err != nil {
		return journal.Summary{}, err
	}
	st, err := stateOf(m.Header)
	if err != nil {
		return journal.Summary{}, fmt.Errorf("look at the session: %s: %w", m.Subject, err)
	}
	e := entry{place: m.Subject[len(recordsPrefix):], state: st, changed: st.changed(m.Time)}
	if t, err := s.last(titlesPrefix + e.place); err == nil {
		e.title = titleOf(t.Header).Title
	}
	return s.describe(e)
}

// Delete implements [journal.Store].
func (s *Store) Delete(id string) error {
	if _, err := s.find(id); err != nil {
		return err
	}
	o := newOwned(s, journal.Header{ID: id}, "")
	if err := o.take(); err != nil {
		return err
	}
	ctx, cancel := s.call()
	defer cancel()
	var err error
	for _, prefix := range []string{recordsPrefix, titlesPrefix} {
		err = errors.Join(err, s.stream.Purge(ctx, jetstream.WithPurgeSubject(prefix+anyPlace(id))))
	}
	err = errors.Join(err, s.questions.Purge(ctx, o.key))
	if err = errors.Join(err, o.release()); err != nil {
		return fmt.Errorf("delete the session %s: %w", id, err)
	}
	return nil
}
