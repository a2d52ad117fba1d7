package hostahp

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/protocol/ahp"
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

const (
	// throttle is how often what a tool prints is sent, which is all of it each time.
	throttle = 100 * time.Millisecond
	// heed is how long the agent is not told of a turn that the host begins: VS Code
	// does not show one that is over when it looks.
	heed = 100 * time.Millisecond
	// aside is how long a turn that no prompt has begun lasts after its last word.
	aside = 2 * time.Second
)

// A Host has the sessions of agents, for clients. [New] makes one.
type Host struct {
	cfg   Config
	log   *slog.Logger
	ctx   context.Context
	stop  context.CancelFunc
	work  sync.WaitGroup
	saver *saver

	mu       sync.Mutex
	room     sync.Cond // a client has got something, or has left, or an end has begun
	closed   bool
	first    int64 // number of the first action
	seq      int64 // number of the last action
	ring     ring
	agents   []*agent
	sessions map[string]*session // by their URIs
	atAgents map[string]*session // by their agents' keys and their ids there
	clients  map[*client]bool
	versions map[string]string // those of the clients that were here, by their ids
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
	h := &Host{
		cfg: cfg, log: cfg.Log, first: cfg.FirstSeq, seq: cfg.FirstSeq,
		sessions: make(map[string]*session), atAgents: make(map[string]*session), clients: make(map[*client]bool), versions: make(map[string]string),
	}
	h.room.L = &h.mu
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
	h.room.Broadcast()
	clients := slices.Collect(maps.Keys(h.clients))
	for _, s := range h.sessions {
		s.stopTimers()
	}
	var ups []*upstream
	for _, a := range h.agents {
		if a.up != nil {
			ups = append(ups, a.up)
		}
	}
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

// agentOf is the agent of a provider; nil is none.
func (h *Host) agentOf(provider string) *agent {
	i := slices.IndexFunc(h.agents, func(a *agent) bool { return a.Provider == provider })
	if i < 0 {
		return nil
	}
	return h.agents[i]
}

// root is the state of the root.
func (h *Host) root() ahp.RootState {
	state := ahp.RootState{Agents: []ahp.Agent{}}
	for _, a := range h.agents {
		state.Agents = append(state.Agents, a.info())
	}
	return state
}

// find is the session that a channel is of, and whether the channel is its chat;
// nil is none. VS Code has two forms for the URI of a session.
func (h *Host) find(channel string) (s *session, chat bool) {
	uri := channel
	if of, is := ahp.SessionOfChat(channel); is {
		uri, chat = of, true
	}
	if s = h.sessions[uri]; s != nil {
		return s, chat
	}
	provider, id, ok := ahp.ParseSession(uri)
	if !ok || provider != "" {
		return nil, chat
	}
	for _, s := range h.sessions {
		if _, rest, _ := strings.Cut(s.uri, ":/"); rest == id {
			return s, chat
		}
	}
	return nil, chat
}
