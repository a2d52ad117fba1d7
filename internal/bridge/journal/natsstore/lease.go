package natsstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// An owner is the entry of a lease.
type owner struct {
	Owner  string `json:"owner"`
	Writer string `json:"writer"` // no two owners have the same
	Server string `json:"server"` // where it says that it lives
}

// A lease says that a session has an owner that lives: an entry of a bucket, which
// expires unless it is renewed. Its mutex is held while the entry is changed.
type lease struct {
	link    *link
	bucket  jetstream.KeyValue
	session string
	key     string
	owner   owner // this one

	mu       sync.Mutex
	entry    []byte // nil before create
	revision uint64 // of the entry; 0 until it was taken
	ended    bool   // it is neither taken nor renewed any more
}

// newLease returns the lease of a session. It is not taken yet.
func (s *Store) newLease(session string) *lease {
	return &lease{
		link: s.link, bucket: s.owners, session: session, key: idToken(session),
		owner: owner{s.cfg.ownerName(), s.id + "." + unique(), s.id},
	}
}

// take takes the lease.
func (l *lease) take() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return os.ErrClosed
	}
	err := l.link.reachable()
	if err == nil {
		err = l.create()
	}
	switch {
	case errors.Is(err, jetstream.ErrKeyExists):
		there, revision := l.holder()
		if there.Writer != l.owner.Writer {
			return &journal.OwnedError{ID: l.session, Owner: there.Owner}
		}
		l.revision = revision // an answer was lost
	case err != nil:
		return fmt.Errorf("take the session %s: %w", l.session, err)
	}
	return nil
}

// create makes the entry. The mutex is held.
func (l *lease) create() error {
	entry, err := json.Marshal(l.owner)
	if err != nil {
		return err
	}
	l.entry = entry
	ctx, cancel := l.link.call()
	defer cancel()
	revision, err := l.bucket.Create(ctx, l.key, entry)
	if err == nil {
		l.revision = revision
	}
	return err
}

// holder returns who has the lease now, if that can be read.
func (l *lease) holder() (there owner, revision uint64) {
	ctx, cancel := l.link.call()
	defer cancel()
	e, err := l.bucket.Get(ctx, l.key)
	if err != nil || exactjson.Unmarshal(e.Value(), &there) != nil {
		return owner{}, 0
	}
	return there, e.Revision()
}

// end makes take and renew do nothing any more, and waits for one that is under way.
func (l *lease) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
}

// release gives the lease up if it is still the one that was taken.
func (l *lease) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.revision == 0 {
		return nil // it was never taken
	}
	ctx, cancel := l.link.call()
	defer cancel()
	err := l.bucket.Delete(ctx, l.key, jetstream.LastRevision(l.revision))
	if err != nil && !isConflict(err) && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("give the session %s up: %w", l.session, err)
	}
	return nil
}

// renew renews the lease. One that has expired is taken again: if somebody else has
// written meanwhile, the fence says so. The error is [journal.ErrFenced] if somebody
// else has the lease.
func (l *lease) renew() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.revision == 0 {
		return nil
	}
	ctx, cancel := l.link.call()
	defer cancel()
	revision, err := l.bucket.Update(ctx, l.key, l.entry, l.revision)
	if err == nil {
		l.revision = revision
		return nil
	}
	if !isConflict(err) {
		return nil // there is another try before it expires
	}
	switch there, revision := l.holder(); {
	case there.Writer == l.owner.Writer:
		l.revision = revision
	case there.Writer != "":
		return fmt.Errorf("%w: %s", journal.ErrFenced, there.Owner)
	default:
		_ = l.create() // or the next time
	}
	return nil
}
