package natsstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

const (
	// alivePrefix starts the subjects on which servers answer that they are alive.
	alivePrefix = "turnwire.alive."
	// aliveTimeout bounds the wait for such an answer.
	aliveTimeout = 2 * time.Second
	// awaitPause is the pause before checking again whether a lease has expired.
	awaitPause = 100 * time.Millisecond
)

// notHere is the answer about a session that this server does not have.
const notHere = "not on this server"

// answerAlive answers other servers that this one is alive, and whether it has the
// session that they ask about.
func (s *Store) answerAlive() error {
	_, err := s.conn.nc.Subscribe(alivePrefix+s.id, func(m *nats.Msg) {
		var answer []byte
		if len(m.Data) > 0 && s.sessions.find(string(m.Data)) == nil {
			answer = []byte(notHere)
		}
		if err := m.Respond(answer); err != nil {
			s.conn.log.Debug("the server's heartbeat was not published", "error", err)
		}
	})
	return err
}

// An Owner is a server that has a session.
type Owner struct {
	Name   string // such as "process 12 at a.example.org"
	Server string // for [Store.Dial]
}

// Await returns the live server, other than this one, that has the session, or nil. If
// the owner does not answer, Await waits until its lease expires.
//
// A server may be alive without a lease, after NATS was unreachable for longer than the
// lease. So if there is no lease, Await also asks the server that wrote last. When NATS
// has come back, it gives that server as long as a lease to reconnect.
func (s *Store) Await(ctx context.Context, id string) (*Owner, error) {
	l := s.newLease(id)
	for {
		if err := s.conn.reachable(); err != nil {
			return nil, err
		}
		there, _ := l.holder()
		leased := there.Writer != ""
		if !leased {
			there = s.archive.lastWriter(id)
		}
		if there.Server == "" || there.Server == s.id {
			return nil, nil //nolint:nilnil // an unowned session is not an error
		}
		has, silent, err := s.probe(ctx, there.Server, id)
		switch {
		case err != nil:
			return nil, fmt.Errorf("find the owner of session %s: %w", id, err)
		case has:
			return &Owner{Name: there.Owner, Server: there.Server}, nil
		case !leased && (!silent || !s.conn.cameBackWithin(s.lifetime)):
			return nil, nil //nolint:nilnil // it is gone, or has given it up
		}
		if !sleep(ctx, awaitPause) {
			return nil, &journal.OwnedError{ID: id, Owner: there.Owner}
		}
	}
}

// refuseLiving returns a [journal.OwnedError] if a session has no lease, but its last writer may
// still have it open; see [Store.Await].
func (s *Store) refuseLiving(id string, last *jetstream.RawStreamMsg) error {
	there := writerOf(last)
	leased, _ := s.newLease(id).holder()
	if leased.Writer != "" || there.Server == "" || there.Server == s.id {
		return nil
	}
	ctx, cancel := s.conn.call()
	defer cancel()
	has, silent, err := s.probe(ctx, there.Server, id)
	if err != nil {
		return fmt.Errorf("find the owner of session %s: %w", id, err)
	}
	if has || silent && s.conn.cameBackWithin(s.lifetime) {
		return &journal.OwnedError{ID: id, Owner: there.Owner}
	}
	return nil
}

// probe reports whether a server has a session. silent is set if the server did not
// answer.
func (s *Store) probe(ctx context.Context, server, id string) (has, silent bool, err error) {
	asked, cancel := context.WithTimeout(ctx, aliveTimeout)
	defer cancel()
	m, err := s.conn.nc.RequestWithContext(asked, alivePrefix+server, []byte(id))
	if err == nil {
		return string(m.Data) != notHere, false, nil
	}
	if !errors.Is(err, nats.ErrNoResponders) && !errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, true, err
	}
	return false, true, nil
}
