package natsstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/turnwire/turnwire/bridge/journal"
)

const (
	// alivePrefix begins the subjects at which servers say that they live.
	alivePrefix = "turnwire.alive."
	// aliveTimeout is how long a server that lives may take to say so.
	aliveTimeout = 2 * time.Second
	// awaitPause is the pause before somebody looks again whether a lease has
	// expired.
	awaitPause = 100 * time.Millisecond
)

// notHere answers whoever asks for a session that this server does not have.
const notHere = "not here"

// answerAlive tells others that this server lives, and whether it has the session
// that they name.
func (s *Store) answerAlive() error {
	_, err := s.nc.Subscribe(alivePrefix+s.id, func(m *nats.Msg) {
		var answer []byte
		if len(m.Data) > 0 && s.ownedBy(string(m.Data)) == nil {
			answer = []byte(notHere)
		}
		if err := m.Respond(answer); err != nil {
			s.cfg.Log.Debug("nobody was told that this server lives", "error", err)
		}
	})
	return err
}

// An Owner is a server that has a session.
type Owner struct {
	Name   string // such as "process 12 at a.example.org"
	Server string // for [Store.Dial]
}

// Await returns the other server that has the session and lives, or nil if there is
// none. It waits for the end of the lease of one that does not answer.
//
// A server may live without a lease: after NATS was away for longer than that. So the
// one that has written last is asked, too, and may take as long as a lease to come
// back when NATS does.
func (s *Store) Await(ctx context.Context, id string) (*Owner, error) {
	o := newOwned(s, journal.Header{ID: id}, "")
	for {
		if err := s.reachable(); err != nil {
			return nil, err
		}
		there, _ := o.reader()
		leased := there.Writer != ""
		if !leased {
			there = s.lastWriter(id)
		}
		if there.Server == "" || there.Server == s.id {
			return nil, nil //nolint:nilnil // nobody has it, and that is no error
		}
		has, silent, err := s.asks(ctx, there.Server, id)
		switch {
		case err != nil:
			return nil, fmt.Errorf("look for the owner of the session %s: %w", id, err)
		case has:
			return &Owner{Name: there.Owner, Server: there.Server}, nil
		case !leased && (!silent || !s.cameBack()):
			return nil, nil //nolint:nilnil // it is gone, or has given it up
		}
		pause := time.NewTimer(awaitPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil, &journal.OwnedError{ID: id, Owner: there.Owner}
		}
	}
}

// lastWriter is the server that has written last to a session, as far as that is
// known.
func (s *Store) lastWriter(id string) owner {
	m, err := s.find(id)
	if err != nil {
		return owner{}
	}
	server, _, _ := strings.Cut(m.Header.Get(writerHeader), ".")
	return owner{Server: server, Owner: "another server"}
}

// cameBack reports whether the connection is so new that others may not have theirs
// again.
func (s *Store) cameBack() bool {
	at := s.back.Load()
	return at != nil && time.Since(*at) < s.lease
}

// asks reports whether a server has a session; silent, whether it has not answered.
func (s *Store) asks(ctx context.Context, server, id string) (has, silent bool, err error) {
	asked, cancel := context.WithTimeout(ctx, aliveTimeout)
	defer cancel()
	m, err := s.nc.RequestWithContext(asked, alivePrefix+server, []byte(id))
	if err == nil {
		return string(m.Data) != notHere, false, nil
	}
	if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, true, err
	}
	return false, true, nil
}
