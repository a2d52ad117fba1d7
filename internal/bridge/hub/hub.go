package hub

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"
)

// defaultIdle is how long a session that nobody uses stays open.
const defaultIdle = 30 * time.Minute

// Config configures a hub.
type Config struct {
	// Open opens the source of the agent's sessions. It is called when the first front
	// end is there.
	Open Opener
	// Version of Turnwire, for clientInfo.
	Version string
	Log     *slog.Logger
	// Idle is how long a session stays open that has no front end and whose agent
	// does nothing; 0 means half an hour. The journal keeps it.
	Idle time.Duration
	// Spool is the folder for what is too much of a history for the memory; "" is none.
	// What is there is not found any more when the process ends.
	Spool string
	// Agent is the key of the agent, for what is kept of questions.
	Agent string
	// Questions keeps requests for permission where several servers share sessions;
	// nil where nobody else could answer.
	Questions Questions
	// Elsewhere returns the other server that has a session, or nil if there is none.
	// It may be nil.
	Elsewhere func(ctx context.Context, id string) (*Peer, error)
	// Worked is called after each prompt of a session that was answered. It may be nil.
	Worked func(id string)
}

// A Peer is a server that has sessions of the same agent.
type Peer struct {
	Server string // what no other server is called
	// Serve speaks ACP as that server does to a front end, until in ends, the
	// connection is lost, or ctx ends.
	Serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
}

// A Hub has the sessions of one agent. [New] makes one.
type Hub struct {
	cfg  Config
	log  *slog.Logger
	ctx  context.Context
	stop context.CancelFunc
	work sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	upstream  *upstream
	peers     map[string]*upstream // connections with other servers, by their names
	sessions  map[string]*session
	ending    map[string]chan struct{} // closed when the agent has closed a session that was ended
	fronts    map[*front]bool
	lastFront int64
	lastAsk   int64 // that is kept
	lastForm  int64
}

// New returns a hub without front ends. Nothing is started before there is one.
func New(cfg Config) *Hub {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Idle == 0 {
		cfg.Idle = defaultIdle
	}
	h := &Hub{cfg: cfg, log: cfg.Log, sessions: make(map[string]*session), ending: make(map[string]chan struct{}), peers: make(map[string]*upstream), fronts: make(map[*front]bool)}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// Close ends all front ends, cancels what is running, and returns when nothing is
// left.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	fronts := slices.Collect(maps.Keys(h.fronts))
	up := h.upstream
	peers := slices.Collect(maps.Values(h.peers))
	h.mu.Unlock()
	for _, p := range peers { // their sessions are not ours to end
		p.end()
	}
	if up != nil {
		up.end()
	}
	for _, f := range fronts {
		f.leave()
	}
	h.stop()
	h.work.Wait()
}

// Info tells of an open session.
type Info struct {
	ID      string
	Cwd     string
	Fronts  []string // names of the attached front ends
	Running bool     // a prompt is still unanswered
	Waiting int      // unanswered requests of the agent
}

// Sessions tells of all open sessions, in the order of their ids.
func (h *Hub) Sessions() []Info {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Info
	for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
		s := h.sessions[id]
		if !s.open {
			continue
		}
		i := Info{ID: id, Cwd: s.cwd, Running: s.prompts > 0, Waiting: len(s.asks)}
		for _, a := range s.attached {
			i.Fronts = append(i.Fronts, a.front.name)
		}
		all = append(all, i)
	}
	return all
}
