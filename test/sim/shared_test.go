package sim

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/test/memdisk"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// A storage says where a world's servers save their sessions.
type storage struct {
	Servers int // how many servers share a NATS server; 0 means one that uses a folder
	Saved   int // how many sessions of the first agent are already there
}

// share connects a server to the world's NATS server, as "turnwire serve --store" does.
func (s *server) share() {
	w := s.world
	s.link = w.nats.Link()
	var err error
	s.shared, err = natsstore.Open(context.Background(), natsstore.Config{
		URL: "nats://127.0.0.1:4222", Dial: s.link.Dial, Owner: s.name, Log: w.log,
		Lease: lease, Renew: renews,
		Lost: func(id string, cause error) {
			s.noteLost(id)
			if errors.Is(cause, journal.ErrFenced) {
				w.see(&event{kind: fenced, session: id, server: s})
			}
			for _, name := range sortedKeys(s.hubs) {
				s.hubs[name].End(id, cause)
			}
		},
	})
	if err == nil {
		err = s.shared.Accept(s.tunnel)
	}
	if err != nil {
		w.fail("a server reaches its store", err)
	}
	s.store = s.shared
}

// elsewhere returns a function that finds the other server that owns a session of an agent.
func (s *server) elsewhere(a *agentSpec) func(context.Context, string) (*hub.Peer, error) {
	if s.shared == nil {
		return nil
	}
	return func(ctx context.Context, id string) (*hub.Peer, error) {
		owner, err := s.shared.Await(ctx, id)
		if owner == nil {
			return nil, err
		}
		return &hub.Peer{Server: owner.Server, Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			t, err := s.shared.Dial(ctx, owner.Server, a.Name)
			if err != nil {
				return err
			}
			defer context.AfterFunc(ctx, func() { _ = t.Close() })()
			go func() {
				_, _ = io.Copy(t, in) // fails when the other side ends
				_ = t.Close()
			}()
			_, err = io.Copy(out, t)
			return errors.Join(err, t.Close())
		}}, nil
	}
}

// tunnel returns a function that serves an agent's sessions to another server.
func (s *server) tunnel(agent string) func(context.Context, *natsstore.Tunnel) {
	if s.hubs[agent] == nil {
		return nil
	}
	return func(ctx context.Context, t *natsstore.Tunnel) {
		s.serveHub(ctx, agent, hub.Client{Peer: true}, acp.Config{In: t, Out: t, Log: s.world.log})
	}
}

// servers returns the running servers.
func (w *World) servers() []*server {
	if w.second == nil {
		return []*server{w.server}
	}
	return []*server{w.server, w.second}
}

// pick returns one of the running servers.
func (w *World) pick(n uint32) *server {
	all := w.servers()
	return all[n%uint32(len(all))] //nolint:gosec // few servers
}

// isRunning reports whether a server is one of the world's current ones.
func (w *World) isRunning(s *server) bool { return s == w.server || s == w.second }

// replace starts a server instead of one that has ended.
func (w *World) replace(before *server, disk *memdisk.Disk) {
	w.old = append(w.old, before)
	if before == w.second {
		w.second = newServer(w, disk)
	} else {
		w.server = newServer(w, disk)
		w.moveSites()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, other := range w.servers() {
		if !other.isJoined() { // the new server doesn't know that NATS was down
			other.absence.longest = lease
		}
	}
	w.noteAbsences()
}

// killOne kills a server that shares its sessions. Its clients are disconnected.
func (w *World) killOne(s *Step) string {
	w.settle()
	before := w.pick(s.A)
	w.loseShared(before)
	w.see(&event{kind: slain, server: before})
	w.mu.Lock()
	w.died = time.Now()
	before.killed = true
	clients, mirrors := w.clients, w.mirrors
	w.mu.Unlock()
	before.link.Cut(true)
	for _, c := range clients {
		if c.server == before || c.kind == traveller && before == w.server {
			c.mark(func() { c.troubled = true })
			c.toServer.cut()
			c.fromServer.cut()
		}
	}
	for _, m := range mirrors {
		if m.server == before {
			m.toServer.cut()
			m.fromServer.cut()
		}
	}
	before.stop()
	before.wait()
	w.settle()
	w.replace(before, memdisk.New())
	return before.name + " is killed, and another server starts"
}

// stopShared closes a server's store.
func (s *server) stopShared() {
	if s.shared == nil {
		return
	}
	s.world.mu.Lock()
	joined := s.isJoined()
	s.world.mu.Unlock()
	defer s.link.Cut(true) // nothing of it arrives any more
	if err := s.shared.Close(); err != nil && !s.killed && joined {
		s.world.fail(nothingLeft, fmt.Errorf("%s can't close its store: %w", s.name, err))
	}
}

// findShared records what the last server left in NATS, apart from sessions, and deleted
// sessions. It had every session open, so that nothing is left of servers that were killed. Only
// questions stay in sessions that a killed server had not saved, or one that could not reach NATS,
// or that were deleted meanwhile: NATS drops them after a while.
func (w *World) findShared() {
	store, err := natsstore.Open(context.Background(), natsstore.Config{URL: "nats://127.0.0.1:4222", Dial: w.nats.Link().Dial})
	if err != nil {
		w.leftovers = append(w.leftovers, err.Error())
		return
	}
	for _, bucket := range []string{"KV_turnwire-owners", "KV_turnwire-questions"} {
		for _, left := range w.nats.Stored(bucket) {
			for _, s := range w.sessions {
				key := sha256.Sum256([]byte(s.id))
				_, unknown := store.Describe(s.id)
				if !strings.HasSuffix(left, "."+hex.EncodeToString(key[:])[:40]) || (unknown != nil && (!w.died.IsZero() || w.hadOutage()) || s.unclear) && bucket == "KV_turnwire-questions" {
					continue
				}
				w.leftovers = append(w.leftovers, "the entry "+left)
			}
		}
	}
	w.findDeleted(store)
	w.readDecisions(store)
	if err := store.Close(); err != nil {
		w.leftovers = append(w.leftovers, err.Error())
	}
}

// openNATS creates the world's NATS server and a second server, if the plan says so.
func (w *World) openNATS() {
	if w.plan.Servers > 0 {
		w.nats = memnats.New(0)
	}
}
