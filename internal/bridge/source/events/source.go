package events

import (
	"cmp"
	"context"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Config configures a source.
type Config struct {
	core.Config
	Agent agent.Agent
	// Name is the agent's name for clients. It defaults to "turnwire".
	Name string
	// Tools are the user's tool descriptions. They override all others.
	Tools toolview.Table
}

// turnwire is the default name of a source.
const turnwire = "turnwire"

// A source runs the sessions of one agent, for one view.
type source struct {
	cfg       Config
	work      sync.WaitGroup  // goroutines of calls
	ctx       context.Context // done when the source is stopped
	cancel    context.CancelFunc
	handshake *handshake
	sessions  *registry
	recorders journal.Recorders // of the saved sessions
	storing   journal.Work      // on them
	opener    *opener
	left      []*session // the sessions open when the source was stopped
}

// New returns a source of an agent's sessions for a view.
func New(cfg Config, view core.View) core.Source {
	cfg.Name = cmp.Or(cfg.Name, turnwire)
	cfg.Version = cmp.Or(cfg.Version, cfg.Agent.Info().Version, "0")
	cfg.Tools = toolview.Common.With(cfg.Tools)
	preparer, ok := cfg.Agent.(agent.Preparer)
	if !ok || !cfg.Prepare {
		preparer = nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &source{
		cfg: cfg,
		ctx: ctx, cancel: cancel,
		sessions:  &registry{limit: cfg.Sessions(), sessions: make(map[string]*session), reopening: make(map[string][]*reopening)},
		handshake: &handshake{preparer: preparer},
	}
	c.opener = &opener{
		cfg: cfg, view: view, ctx: ctx, work: &c.work, handshake: c.handshake, sessions: c.sessions, recorders: &c.recorders, storing: &c.storing,
		starting: make(chan struct{}, maxStarting),
	}
	return c
}

// Keep implements [core.Source].
func (c *source) Keep() { c.recorders.Flush() }

// Stop implements [core.Source].
func (c *source) Stop(open []*core.Call) {
	c.left = c.sessions.end()
	for _, call := range open { // first, so that they are answered as cancelled
		call.Cancel()
	}
	for _, s := range c.left {
		s.stop()
	}
	c.cancel()
}

// Close implements [core.Source].
func (c *source) Close(ctx context.Context) {
	for _, s := range c.left {
		c.work.Go(func() { s.close(ctx) })
	}
	c.work.Go(func() { c.handshake.dismiss(ctx) })
	done := make(chan struct{})
	go func() {
		c.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
