package events

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
)

// Config says what a source is of.
type Config struct {
	Agent agent.Agent
	// Name and Version are told to the client as agentInfo. Absent they are "turnwire"
	// and the version of the agent.
	Name, Version string
	Log           *slog.Logger
	// Tools are the user's descriptions of tools, which override all others.
	Tools toolview.Table
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Journal keeps the sessions; nil keeps none.
	Journal journal.Store
	// Key names the agent there: a session is listed for the agent that has it.
	Key string
	// Judge decides requests for permission before the user is asked; nil decides none.
	Judge consent.Judge
	// Audit is told what became of each request for permission; it may be nil. It must
	// not block, and be safe for concurrent use.
	Audit func(consent.Decision)
	// Prepare lets initialize start an agent of which nobody knows yet what it takes;
	// see [agent.Preparer].
	Prepare bool
}

// turnwire is the name of a source that has none.
const turnwire = "turnwire"

// DefaultMaxSessions is far more than an editor opens. Each session has a process, or a
// conversation with a server.
const DefaultMaxSessions = 1024

// maxStarting bounds the agents that are being started at once.
const maxStarting = 4

// A source has the sessions of one agent, for one view.
type source struct {
	agent       agent.Agent
	view        core.View
	tools       toolview.Table
	name        string // and version: for agentInfo
	version     string
	log         *slog.Logger
	work        sync.WaitGroup // goroutines of calls
	ctx         context.Context
	cancel      context.CancelFunc
	maxSessions int // sessions at once
	journal     journal.Store
	key         string // of the agent in the journal
	recorders   journal.Recorders
	judge       consent.Judge
	audit       func(consent.Decision)
	prepare     bool          // agent is a Preparer, and to be prepared
	starting    chan struct{} // holds those whose agent is being started

	mu          sync.Mutex
	client      *client         // nil before initialize
	begun       bool            // a session was opened
	initialized <-chan struct{} // closed when the last initialize is answered
	sessions    map[string]*session
	open        int  // sessions, including those that are being opened or closed
	ending      bool // Stop was called
	left        []*session
}

// New returns the source of an agent's sessions for a view.
func New(cfg Config, view core.View) core.Source {
	ctx, cancel := context.WithCancel(context.Background())
	c := &source{
		agent:       cfg.Agent,
		view:        view,
		tools:       toolview.Common.With(cfg.Tools),
		name:        cmp.Or(cfg.Name, turnwire),
		version:     cmp.Or(cfg.Version, cfg.Agent.Info().Version, "0"),
		journal:     cfg.Journal,
		key:         cfg.Key,
		judge:       cfg.Judge,
		audit:       cfg.Audit,
		log:         cfg.Log,
		maxSessions: cmp.Or(cfg.MaxSessions, DefaultMaxSessions),
		ctx:         ctx,
		cancel:      cancel,
		sessions:    make(map[string]*session),
		starting:    make(chan struct{}, maxStarting),
	}
	_, preparer := cfg.Agent.(agent.Preparer)
	c.prepare = cfg.Prepare && preparer
	return c
}

// Keep implements [core.Source].
func (c *source) Keep() { c.recorders.Flush() }

// Stop implements [core.Source].
func (c *source) Stop(open []*core.Call) {
	c.mu.Lock()
	c.ending = true
	c.left = slices.Collect(maps.Values(c.sessions))
	clear(c.sessions)
	c.mu.Unlock()
	for _, call := range open { // first: their answer is that they were cancelled
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
	if c.prepare {
		c.work.Go(func() { c.agent.(agent.Preparer).Dismiss(ctx) })
	}
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

// isEnding reports whether the end has begun.
func (c *source) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending
}
