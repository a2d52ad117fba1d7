package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	agentao "github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/source/events"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/test/memdisk"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// A server is assembled like "turnwire serve", and also serves editors like "turnwire acp".
type server struct {
	world  *World
	name   string
	disk   *memdisk.Disk // of saved sessions
	store  journal.Store
	shared *natsstore.Store    // the store, if servers share it; nil otherwise
	link   *memnats.Link       // to NATS; nil if sessions are saved on the disk
	hubs   map[string]*hub.Hub // by the agent's name
	host   *ahphost.Host       // nil until an AHP client connects
	work   sync.WaitGroup      // connections
	killed bool                // guarded by the world
	muted  bool                // what NATS sends to it is held back, and then lost
	// isolated is set while the server can't reach NATS. It last lost NATS at left, and could
	// reach it again at joined. The world guards them.
	isolated     bool
	left, joined time.Time
	absence      absence // guarded by the world
}

// newServer starts a server on a disk with saved sessions.
func newServer(w *World, disk *memdisk.Disk) *server {
	w.started++
	s := &server{world: w, disk: disk, name: fmt.Sprintf("server%d", w.started), hubs: make(map[string]*hub.Hub)}
	s.store = journal.NewFolderIn(disk, "/sessions")
	if w.nats != nil {
		s.share()
	}
	var questions hub.Questions
	if s.shared != nil {
		questions = s.shared
	}
	for i := range w.plan.Agents {
		a := &w.plan.Agents[i]
		s.hubs[a.Name] = hub.New(hub.Config{
			Version: version, Log: w.log, Agent: a.Name, Spool: w.spool, Worked: func(id string) { s.worked(a, id) },
			Questions: questions, Elsewhere: s.elsewhere(a), Observe: func(e hub.Event) { w.notice(s, &e) },
			Open: func(_ context.Context, v core.View) (core.Source, error) { return s.source(a, v, nil), nil },
		})
	}
	return s
}

const version = "0.0.0-sim"

// source returns the source of an agent's sessions, for all clients or for an editor.
func (s *server) source(a *agentSpec, v core.View, owner *client) core.Source {
	config := core.Config{
		Version: version, Log: s.world.log, Journal: s.store, Key: a.Name, Prepare: true, Judge: judge{s.world},
		Audit: func(d consent.Decision) { s.world.audit(s, d) },
	}
	switch a.Kind {
	case aguiAgent:
		return events.New(events.Config{Config: config, Agent: agui.New(agui.Config{
			Remote: httpsse.Config{BaseURL: "http://localhost/", Transport: &aguiServer{server: s, agent: a}},
		})}, v)
	case acpAgent:
		var known *quirks.Table
		var limit time.Duration
		if a.Skills&odd != 0 {
			known, limit = quirks.Glue(), idleLimit
		}
		with := relay.Config{Config: config, Agent: relay.Agent{
			Name: a.Name, Args: []string{a.Name}, Quirks: known, IdleTimeout: limit,
			Start: func(acptransport.Spec) (acptransport.Transport, error) {
				return peer{newActor(s, a, owner).program}, nil
			},
		}}
		if a.Skills&dawdles != 0 { // it is a program that the user names
			with.Agent.Args, with.Agent.Command, with.Agent.Login = []string{os.Args[0], a.Name}, true, []string{"acp", "--"}
			with.Cache = s.world.cache
		}
		return relay.New(with, v)
	}
	dialect := wire.Dialect
	if a.Kind == agentaoAgent {
		dialect = agentao.Dialect
	}
	return events.New(events.Config{Config: config, Agent: process.New(process.Config{
		Args: []string{a.Name}, Dialect: dialect, Greets: true,
		Start: func(child.Spec) (process.Child, error) { return command{s.startActor(a).program}, nil },
	})}, v)
}

// serve serves a client until its connection ends.
func (s *server) serve(c *client) {
	closeIn := func() error { c.toServer.cut(); return nil }
	if c.kind == editor {
		config := acp.Config{In: c.toServer, Out: c.fromServer, CloseIn: closeIn, Join: true, Log: s.world.log}
		_ = acp.Serve(context.Background(), config, func(v core.View) core.Source { return s.source(c.agent, v, c) }) // a cut connection is an error
	} else {
		from := consent.Client{Token: c.name, Watches: c.kind == watcher}
		s.serveHub(c.ctx, c.agent.Name, hub.Client{From: from}, acp.Config{In: c.toServer, Out: c.fromServer, CloseIn: closeIn, Log: s.world.log})
	}
	c.toServer.cut()
	_ = c.fromServer.Close() // never fails
}

// serveHub serves a client of an agent's hub until its connection ends.
func (s *server) serveHub(ctx context.Context, agent string, of hub.Client, config acp.Config) {
	ctx, of.HangUp = context.WithCancel(ctx)
	defer of.HangUp()
	_ = acp.Serve(ctx, config, func(v core.View) core.Source { return s.hubs[agent].Connect(v, of) }) // a cut connection is an error
}

// connect connects a client.
func (s *server) connect(c *client) {
	if c.kind == traveller {
		s.world.travel(c)
		return
	}
	s.work.Go(func() { s.serve(c) })
}

// stopLimit is how long a server may take to stop, in virtual time. It is far longer than
// any of Turnwire's own limits.
const stopLimit = time.Hour

// stop ends all sessions.
func (s *server) stop() {
	s.ends(func() {
		if s.host != nil {
			s.host.Close()
		}
		for _, name := range sortedKeys(s.hubs) {
			s.hubs[name].Close()
		}
		s.stopShared()
	})
}

// wait waits until all clients are disconnected.
func (s *server) wait() { s.ends(s.work.Wait) }

// ends calls something that must return.
func (s *server) ends(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	timer := time.NewTimer(stopLimit)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		s.world.fail(nothingLeft, errors.New("the server does not stop"))
	}
}
