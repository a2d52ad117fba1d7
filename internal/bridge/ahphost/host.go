package ahphost

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
	Version string // Turnwire's version
	Log     *slog.Logger
	// Journal contains the saved sessions; nil if sessions are not saved.
	Journal journal.Store
	// Folder holds what the host saves in addition to the journal. If it is "", the
	// host saves nothing.
	Folder string
	// Files is the file system that has Folder; nil means the real one.
	Files journal.Files
	// Spool is the folder for the parts of chats that don't fit into memory; ""
	// disables it. Files in it cannot be used after the process ends.
	Spool string
	// ChatBytes bounds a chat's turns that clients get without fetching them, in bytes,
	// roughly; 0 means 4 MiB.
	ChatBytes int
	// Home is the default folder of a session.
	Home string
	// Grace is how long a session that no client follows stays attached, and how long a
	// disconnected client may take to reconnect; 0 means 30 seconds.
	Grace time.Duration
	// FirstSeq is the number of the first action. 0 means a number, based on the clock,
	// that no earlier host has used.
	FirstSeq int64
	// Now is the wall clock, which may be set back; nil means that of the system.
	Now func() time.Time
	// NewID returns a unique id; nil means a random one.
	NewID func() string
}

// An Agent is an agent whose sessions the host serves.
type Agent struct {
	Provider           string // see [ahp.IsProvider]
	Key                string // the key of its sessions in the journal
	Title, Description string
	// Open opens the agent's sessions for the host. The host acts as one client of
	// them, and reports which AHP client answered. hangUp is called when the sessions
	// end.
	Open func(v core.View, hangUp func()) (core.Source, error)
}

// A Host serves agents' sessions to AHP clients. Create one with [New].
type Host struct {
	cfg   Config
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	saver *saver

	mu       sync.Mutex // guards the following fields
	closed   bool
	agents   agents
	sessions *registry
	clients  *clients
	feed     *feed
	contents contents
}

// ErrClosed is returned to clients of a closed host.
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
	if cfg.Files == nil {
		cfg.Files = journal.RealFiles()
	}
	if cfg.ChatBytes == 0 {
		cfg.ChatBytes = maxTurns
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	h := &Host{cfg: cfg, sessions: &registry{byURI: make(map[string]*session), byPlace: make(map[string]*session)}}
	h.clients = newClients(&h.mu)
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.saver = newSaver(cfg.Folder, cfg.Files, cfg.Log)
	first := h.firstNumber()
	h.feed = &feed{clients: h.clients, first: first, last: first, saver: h.saver}
	h.feed.reserve()
	for _, a := range cfg.Agents {
		h.agents = append(h.agents, &agent{Agent: a, host: h, offers: h.saver.offers(a.Provider, a.Key)})
	}
	h.recall()
	return h
}

// Close ends all connections. It returns when all goroutines have ended and everything
// is on disk. The agents continue in their hubs.
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

// now returns the current time in the protocol's format.
func now() string { return stamp(time.Now()) }

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
