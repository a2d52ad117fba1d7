package natsstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An owner is the content of a lease's entry.
type owner struct {
	Owner  string `json:"owner"`
	Writer string `json:"writer"` // unique to each owner
	Server string `json:"server"` // the server to ask whether the owner is alive
}

// A lease shows that a session has a live owner. It is an entry in a bucket that
// expires unless it is renewed.
type lease struct {
	conn    *connection
	bucket  jetstream.KeyValue
	session string
	key     string
	owner   owner // this one

	// changing is a lock, which is held while the entry is changed. It is a channel, because
	// a goroutine that waits for a mutex stops a test's virtual time.
	changing chan struct{}
	entry    []byte // nil until create
	revision uint64 // of the entry; 0 until the lease was acquired
	ended    bool   // take and renew no longer do anything
}

// newLease returns the lease of a session, without acquiring it.
func (s *Store) newLease(session string) *lease {
	return &lease{
		conn: s.conn, changing: make(chan struct{}, 1), bucket: s.owners, session: session, key: idToken(session),
		owner: owner{s.cfg.ownerName(), s.id + "." + unique(), s.id},
	}
}

// lock takes the lock, and returns a function that gives it back.
func (l *lease) lock() (unlock func()) {
	l.changing <- struct{}{}
	return func() { <-l.changing }
}

// acquire takes the lease.
func (l *lease) acquire() error {
	defer l.lock()()
	if l.ended {
		return os.ErrClosed
	}
	err := l.conn.reachable()
	if err == nil {
		err = l.create()
	}
	switch {
	case errors.Is(err, jetstream.ErrKeyExists):
		there, revision := l.holder()
		if there.Writer != l.owner.Writer {
			return &journal.OwnedError{ID: l.session, Owner: there.Owner}
		}
		l.revision = revision // the lease is ours: only the response was lost
	case err != nil:
		return fmt.Errorf("lock session %s: %w", l.session, err)
	}
	return nil
}

// create creates the entry. The caller holds the lock.
func (l *lease) create() error {
	entry, err := json.Marshal(l.owner)
	if err != nil {
		return err
	}
	l.entry = entry
	ctx, cancel := l.conn.call()
	defer cancel()
	revision, err := l.bucket.Create(ctx, l.key, entry)
	if err == nil {
		l.revision = revision
	}
	return err
}

// holder returns the current owner of the lease, if it can be read.
func (l *lease) holder() (there owner, revision uint64) {
	ctx, cancel := l.conn.call()
	defer cancel()
	e, err := l.bucket.Get(ctx, l.key)
	if err != nil || exactjson.Unmarshal(e.Value(), &there) != nil {
		return owner{}, 0
	}
	return there, e.Revision()
}

// end stops take and renew from doing anything, and waits for a running one.
func (l *lease) end() {
	defer l.lock()()
	l.ended = true
}

// release deletes the lease, unless somebody else changed it meanwhile.
func (l *lease) release() error {
	defer l.lock()()
	if l.revision == 0 {
		return nil // it was never acquired
	}
	ctx, cancel := l.conn.call()
	defer cancel()
	err := l.bucket.Delete(ctx, l.key, jetstream.LastRevision(l.revision))
	if err != nil && !isConflict(err) && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("release session %s: %w", l.session, err)
	}
	return nil
}

// renew renews the lease, and reports whether it has expired. The error is [journal.ErrFenced] if
// another server has the lease.
func (l *lease) renew() (expired bool, err error) {
	defer l.lock()()
	if l.ended || l.revision == 0 {
		return false, nil
	}
	ctx, cancel := l.conn.call()
	defer cancel()
	revision, err := l.bucket.Update(ctx, l.key, l.entry, l.revision)
	if err == nil {
		l.revision = revision
		return false, nil
	}
	if !isConflict(err) {
		return false, nil // it is tried again before the lease expires
	}
	switch there, revision := l.holder(); {
	case there.Writer == l.owner.Writer:
		l.revision = revision
	case there.Writer != "":
		return false, fmt.Errorf("%w: %s", journal.ErrFenced, there.Owner)
	default:
		return true, nil
	}
	return false, nil
}

// retake acquires the expired lease again. If that fails, it is tried again next time.
func (l *lease) retake() {
	defer l.lock()()
	if !l.ended {
		_ = l.create()
	}
}
