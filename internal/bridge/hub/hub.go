package hub

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// defaultIdle is how long an unused session stays open by default.
const defaultIdle = 30 * time.Minute

// Config configures a hub.
type Config struct {
	// Open opens the source of the agent's sessions. It is called when the first client
	// connects.
	Open Opener
	// Version is Turnwire's version, for clientInfo.
	Version string
	Log     *slog.Logger
	// Idle is how long a session stays open without clients while its agent is idle; 0
	// means half an hour. After that it is still in the journal.
	Idle time.Duration
	// Spool is the folder for the parts of histories that exceed the memory limit; ""
	// disables it. Files in it cannot be used after the process ends.
	Spool string
	// Agent is the agent's key, for saved questions.
	Agent string
	// Questions saves permission requests and forms if several servers share sessions.
	// It is nil if no other server could answer.
	Questions Questions
	// Elsewhere, if not nil, returns the other server that has a session open, or a nil
	// Peer.
	Elsewhere func(ctx context.Context, id string) (*Peer, error)
	// Worked, if not nil, is called after each prompt of a session is answered.
	Worked func(id string)
	// Observe, if not nil, is called with the events of all sessions, in order. It is
	// called with the hub's lock held, so it must not block, and must not call the hub.
	Observe func(Event)
}

// A Peer is another server with sessions of the same agent.
type Peer struct {
	Server string // its unique name
	// Serve serves a client over ACP as that server does, until in ends, the connection
	// is lost, or ctx is done.
	Serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
}

// A Hub runs the sessions of one agent. Create one with [New].
type Hub struct {
	cfg  Config
	log  *slog.Logger
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	upstream *upstream
	lost     *upstream            // the one before, which has ended
	peers    map[string]*upstream // connections to other servers, by name
	sessions map[string]*session
	ending   map[string]chan struct{} // closed when the agent has closed an ended session
	clients  []*client                // in the order in which they connected; replaced if one leaves
	last     last
}

// last has the numbers that were given last.
type last struct{ client, ask, form int64 }

// New returns a hub. It starts nothing until a client connects.
func New(cfg Config) *Hub {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Idle == 0 {
		cfg.Idle = defaultIdle
	}
	h := &Hub{cfg: cfg, log: cfg.Log, sessions: make(map[string]*session), ending: make(map[string]chan struct{}), peers: make(map[string]*upstream)}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Close disconnects all clients, cancels what is running, and returns when nothing is
// left.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	clients := h.clients
	up := h.upstream
	peers := slices.Collect(maps.Values(h.peers))
	h.mu.Unlock()
	slices.SortFunc(peers, func(a, b *upstream) int { return strings.Compare(a.peer, b.peer) })
	for _, p := range peers { // without ending their sessions, which are not ours
		p.end()
	}
	if up != nil {
		up.end()
	}
	for _, cl := range clients {
		cl.leave()
	}
	h.stop()
	h.work.Wait()
}

// Info describes an open session.
type Info struct {
	ID      string
	Cwd     string
	Clients []string // the names of the attached clients that are connected
	Running bool     // a prompt is unanswered
	Waiting int      // the number of unanswered requests from the agent
}

// Sessions returns all open sessions, ordered by id.
func (h *Hub) Sessions() []Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Info
	for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
		s := h.sessions[id]
		if !s.open {
			continue
		}
		i := Info{ID: id, Cwd: s.cwd, Running: s.prompts.here > 0, Waiting: len(s.pending)}
		for _, a := range s.attached {
			if !a.client.isAway() {
				i.Clients = append(i.Clients, a.client.name)
			}
		}
		all = append(all, i)
	}
	return all
}
