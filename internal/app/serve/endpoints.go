package serve

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// maxAgents limits how many agents are served at once.
const maxAgents = 64

// endpoints are the agents' endpoints: /acp, and /acp/NAME for each other agent. An
// endpoint is created on the first request for its agent.
type endpoints struct {
	config Config
	mux    *http.ServeMux
	ahp    *server.Handler // nil if the Agent Host Protocol is not served

	mu     sync.Mutex
	closed bool
	all    map[string]*server.Handler
}

func newEndpoints(c Config) *endpoints {
	e := &endpoints{config: c, mux: http.NewServeMux(), all: make(map[string]*server.Handler)}
	e.mux.HandleFunc(remote.Path, e.serve)
	e.mux.HandleFunc(remote.Path+"/{agent}", e.serve)
	if c.AHP != nil {
		e.ahp = server.New(c.Limits, c.Log, c.AHP)
	}
	if c.Metrics != nil {
		e.mux.Handle(pathMetrics, c.Metrics)
	}
	return e
}

// ServeHTTP implements [http.Handler].
func (e *endpoints) ServeHTTP(w http.ResponseWriter, r *http.Request) { e.mux.ServeHTTP(w, r) }

// isClosed reports whether new connections are refused.
func (e *endpoints) isClosed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

func (e *endpoints) serve(w http.ResponseWriter, r *http.Request) {
	h := e.find(r.PathValue("agent"))
	if h == nil {
		http.Error(w, "unknown agent", http.StatusNotFound)
		return
	}
	h.ServeHTTP(w, r)
}

// find returns an agent's endpoint, or nil.
func (e *endpoints) find(name string) *server.Handler {
	e.mu.Lock()
	defer e.mu.Unlock()
	h := e.all[name]
	if h != nil || e.closed || len(e.all) >= maxAgents {
		return h
	}
	accept := e.config.Agent(name)
	if accept == nil {
		return nil
	}
	h = server.New(e.config.Limits, e.config.Log, accept)
	e.all[name] = h
	return h
}

// close ends all connections; see [server.Handler.Close].
func (e *endpoints) close(ctx context.Context) {
	e.mu.Lock()
	e.closed = true
	all := slices.Collect(maps.Values(e.all))
	e.mu.Unlock()
	if e.ahp != nil {
		all = append(all, e.ahp)
	}
	var work sync.WaitGroup
	for _, h := range all {
		work.Go(func() { h.Close(ctx) })
	}
	work.Wait()
}
