package relay

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// stopBudget bounds stopping one process while others continue.
	stopBudget = 1700 * time.Millisecond
	// defaultStartTimeout is long because some agents are downloaded first.
	defaultStartTimeout = time.Minute
	defaultCancelGrace  = 3 * time.Second
	// initializeWait is how long "initialize" waits for the agent.
	initializeWait = 3 * time.Second
)

// Config configures a relay.
type Config struct {
	core.Config
	Agent Agent
	// CancelGrace is how long the agent may take to end a cancelled turn before the
	// relay answers the prompt itself; 0 means three seconds.
	CancelGrace time.Duration
	// Cache is the folder for the agents' initialize responses; "" disables the cache.
	Cache string
}

// New returns a source, for a view, of the sessions of an agent that speaks ACP itself.
func New(cfg Config, view core.View) core.Source {
	cfg.Agent.StartTimeout = cmp.Or(cfg.Agent.StartTimeout, defaultStartTimeout)
	cfg.CancelGrace = cmp.Or(cfg.CancelGrace, defaultCancelGrace)
	if cfg.Agent.Start == nil {
		cfg.Agent.Start = acptransport.Start
	}
	r := &relay{
		cfg:      cfg,
		log:      cfg.Log,
		view:     view,
		requests: requests{open: make(map[*request]bool)},
		sessions: make(map[string]*session),
		ups:      make(map[string]*upstream),
		repairs:  repairs{log: cfg.Log, counts: make(map[Repair]int)},
	}
	r.archive = archive{Archive: cfg.Archive()}
	r.cache = cache{cfg.Cache, &r.cfg.Agent, cfg.Log}
	r.ctx, r.stop = context.WithCancel(context.Background())
	return r
}

// A relay runs the sessions of one agent, for one view. It implements [core.Source].
type relay struct {
	cfg     Config
	log     *slog.Logger
	view    core.View
	repairs repairs
	cache   cache
	work    sync.WaitGroup // goroutines and processes
	ctx     context.Context
	stop    context.CancelFunc

	archive archive

	mu       sync.Mutex
	client   client
	ups      map[string]*upstream // the agent's processes, by folder; "" is Turnwire's own
	requests requests
	sessions map[string]*session // by the editor's session id
	ending   bool
}

// Keep implements [core.Source].
func (r *relay) Keep() { r.archive.recorders.Flush() }

// Stop implements [core.Source].
func (r *relay) Stop([]*core.Call) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.stop()
	r.ending = true
	for _, u := range r.ups {
		for _, id := range slices.Sorted(maps.Keys(u.pending)) {
			a := u.pending[id]
			a.withdrawn.Store(true)                   // unsent requests would follow the responses below
			if a.refusal() != nil && !a.isWriting() { // nobody decides it any more
				a.close()
				a.note(a.open(turnCancelled))
				r.view.Withdraw(&a.Request) // nobody must be told that an answer counts
				r.view.Forget(&a.Request)
			}
		}
	}
	for _, s := range slices.SortedFunc(maps.Values(r.sessions), byID) {
		s.turn.gate.Store(true)
		for _, n := range s.closeCalls() {
			r.view.Send(n)
		}
	}
	for _, q := range inOrder(maps.Keys(r.requests.open)) {
		if q.isPrompt() {
			r.requests.reply(q, cancelledPrompt)
			continue
		}
		r.requests.fail(q, protocol.Errorf(protocol.CodeRequestCancelled, "the connection is ending"))
	}
}

// Close implements [core.Source].
func (r *relay) Close(ctx context.Context) {
	r.mu.Lock()
	ups := slices.SortedFunc(maps.Values(r.ups), func(a, b *upstream) int { return strings.Compare(a.folder, b.folder) })
	r.mu.Unlock()
	for _, up := range ups {
		r.work.Go(func() { up.transport.Stop(ctx) })
	}
	done := make(chan struct{})
	go func() {
		r.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	r.mu.Lock()
	for _, s := range r.sessions {
		r.archive.end(s.id, &s.record)
	}
	r.mu.Unlock()
	r.archive.work.Wait()
	r.repairs.summary()
}

// relay shows a notification. It waits while the client does not read. The caller must
// not hold the lock.
func (r *relay) relay(n core.Notification) {
	if err := r.view.Relay(n); err != nil {
		r.log.Debug("a line could not be sent", "error", err)
	}
}
