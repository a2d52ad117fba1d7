package hostahp

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// Config configures a host.
type Config struct {
	Agents  []Agent
	Version string // of Turnwire
	Log     *slog.Logger
	// Journal has the saved sessions; nil if none are saved.
	Journal journal.Store
	// Folder holds what the host saves in addition to the journal. If it is "", nothing
	// is saved.
	Folder string
	// Spool is the folder for what is too much of a chat for the memory; "" is none. What
	// is there is not found any more when the process ends.
	Spool string
	// Home is the folder of a session that names none.
	Home string
	// Grace is how long a session stays attached that no client looks at, and how
	// long a client that has gone may take to come back; 0 means 30 seconds.
	Grace time.Duration
	// FirstSeq is the number of the first action; 0 means one that no host before
	// has used, by the clock.
	FirstSeq int64
	// NewID returns an id that nobody has used; nil means a random one.
	NewID func() string
}

// An Agent is one whose sessions clients get.
type Agent struct {
	Provider           string // see [ahp.IsProvider]
	Key                string // of its sessions in the journal
	Title, Description string
	// Open opens the agent's sessions for the host, as one front end of them that says
	// who has answered. They call hangUp when they end.
	Open func(v core.View, hangUp func()) (core.Source, error)
}

// A Host has the sessions of agents, for clients. [New] makes one.
type Host struct {
	cfg   Config
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	saver *saver

	mu       sync.Mutex // guards what follows
	closed   bool
	agents   agents
	sessions *registry
	clients  *clients
	feed     *feed
	contents contents
}

// ErrClosed is returned for clients of a host that is closed.
var ErrClosed = errors.New("the server is stopping")

// New returns a host without clients. It starts nothing.
func New(cfg Config) *Host {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Grace == 0 {
		cfg.Grace = 30 * time.Second
	}
	if cfg.NewID == nil {
		cfg.NewID = rand.Text
	}
	if cfg.FirstSeq == 0 {
		cfg.FirstSeq = time.Now().UnixMilli() * seqsPerMilli
	}
	h := &Host{cfg: cfg, sessions: &registry{byURI: make(map[string]*session), byPlace: make(map[string]*session)}}
	h.clients = newClients(&h.mu)
	h.feed = &feed{clients: h.clients, first: cfg.FirstSeq, last: cfg.FirstSeq}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.saver = newSaver(cfg.Folder, cfg.Log)
	for _, a := range cfg.Agents {
		h.agents = append(h.agents, &agent{Agent: a, host: h, offers: h.saver.offers(a.Provider, a.Key)})
	}
	h.recall()
	return h
}

// seqsPerMilli is how many actions there may be in a millisecond, on average, before
// the numbers after a restart are ones that were used. All fit into a double.
const seqsPerMilli = 1000

// Close ends all connections, and returns when nothing is left and all is on the
// disk. What the agents do goes on in their hubs.
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	h.clients.wake()
	for s := range h.sessions.all() {
		s.stopTimers()
		s.chat.giveUp()
	}
	clients, ups := h.clients.all(), h.agents.upstreams()
	h.mu.Unlock()
	for _, c := range clients {
		c.leave()
	}
	for _, u := range ups {
		u.close()
	}
	h.stop()
	h.work.Wait()
	h.saver.close()
}

// now is the time, as JSON has it.
func now() string { return stamp(time.Now()) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
