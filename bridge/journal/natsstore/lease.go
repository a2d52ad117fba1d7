package natsstore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// renewers is how many leases are renewed at once.
const renewers = 16

// An owner is the entry of a lease.
type owner struct {
	Owner  string `json:"owner"`
	Writer string `json:"writer"` // no two owners have the same
	Server string `json:"server"` // where it says that it lives
}

// take takes the lease of a session.
func (o *owned) take() error {
	s := o.store
	if err := s.reachable(); err != nil {
		return fmt.Errorf("take the session %s: %w", o.header.ID, err)
	}
	entry, err := json.Marshal(owner{s.cfg.ownerName(), o.writer, s.id})
	if err != nil {
		return fmt.Errorf("take the session %s: %w", o.header.ID, err)
	}
	o.entry = entry
	ctx, cancel := s.call()
	defer cancel()
	o.revision, err = s.owners.Create(ctx, o.key, entry)
	if errors.Is(err, jetstream.ErrKeyExists) {
		there, revision := o.reader()
		if there.Writer != o.writer {
			return &journal.OwnedError{ID: o.header.ID, Owner: there.Owner}
		}
		o.revision, err = revision, nil // an answer was lost
	}
	if err != nil {
		return fmt.Errorf("take the session %s: %w", o.header.ID, err)
	}
	return nil
}

// reader returns who has the lease now, as far as that can be read.
func (o *owned) reader() (there owner, revision uint64) {
	ctx, cancel := o.store.call()
	defer cancel()
	e, err := o.store.owners.Get(ctx, o.key)
	if err != nil || exactjson.Unmarshal(e.Value(), &there) != nil {
		return owner{}, 0
	}
	return there, e.Revision()
}

// release gives the lease up, if it is still the one that was taken.
func (o *owned) release() error {
	ctx, cancel := o.store.call()
	defer cancel()
	err := o.store.owners.Delete(ctx, o.key, jetstream.LastRevision(o.revision))
	if err != nil && !isConflict(err) && !errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("give the session %s up: %w", o.header.ID, err)
	}
	return nil
}

// renewAll renews the leases of all sessions until the store is closed.
func (s *Store) renewAll() {
	tick := time.NewTicker(cmp.Or(s.cfg.Renew, s.lease/4))
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		due := make(chan *owned, len(s.owned))
		for o := range s.owned {
			due <- o
		}
		s.mu.Unlock()
		close(due)
		var work sync.WaitGroup
		for range min(renewers, len(due)) {
			work.Go(func() {
				for o := range due {
					if s.reachable() == nil {
						o.renew()
					}
				}
			})
		}
		work.Wait()
	}
}

// renew renews the lease. One that has expired is taken again: if somebody else
// has written meanwhile, the fence says so.
func (o *owned) renew() {
	o.leasing.Lock()
	defer o.leasing.Unlock()
	if o.released || o.revision == 0 {
		return
	}
	ctx, cancel := o.store.call()
	defer cancel()
	revision, err := o.store.owners.Update(ctx, o.key, o.entry, o.revision)
	if err == nil {
		o.revision = revision
		return
	}
	if !isConflict(err) {
		return // there is another try before it expires
	}
	switch there, revision := o.reader(); {
	case there.Writer == o.writer:
		o.revision = revision
	case there.Writer != "":
		o.fail(fmt.Errorf("%w: %s", journal.ErrFenced, there.Owner))
	default:
		if revision, err := o.store.owners.Create(ctx, o.key, o.entry); err == nil {
			o.revision = revision
		}
	}
}

// isConflict reports whether the server refused something because somebody else
// was faster.
func isConflict(err error) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	if !ok || e.APIError() == nil {
		return false
	}
	code := e.APIError().ErrorCode
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
