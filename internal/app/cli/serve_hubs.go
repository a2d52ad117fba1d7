package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/notify"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/telemetry"
	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// hubs holds a server's hubs, one for each agent. A hub is created when the first
// client connects to its agent.
type hubs struct {
	options *serveOptions
	store   journal.Store
	shared  *natsstore.Store // nil if sessions are stored on this machine
	log     *slog.Logger
	// measured is never nil, because a server always has metrics.
	measured *telemetry.Telemetry
	notifier *notify.Notifier // nil without targets for notifications
	checked  folderCheck

	mu  sync.Mutex
	ahp *ahphost.Host       // nil until the host is created
	all map[string]*hub.Hub // by agent name; "" is the chosen agent
}

// agent returns a function that serves connections to an agent, or nil if there is no
// such agent.
func (h *hubs) agent(name string) func(context.Context, *server.Conn) {
	made, key := h.of(name)
	if made == nil {
		return nil
	}
	log := h.log.With("agent", key)
	return func(ctx context.Context, c *server.Conn) {
		defer h.measured.Connected(key, c.Transport, c.Token)()
		in, out := h.measured.Count(key, c, c)
		if err := serveClient(ctx, made, hub.Client{From: h.options.client(c), Away: c.Away}, acp.Config{In: in, Out: out, CloseIn: c.CloseRead, Log: log}); err != nil {
			log.Warn("a connection failed", "remote", c.Remote, "token", c.Token, "error", err)
		}
	}
}

// serveClient serves a client of a hub on the streams in config.
func serveClient(ctx context.Context, h *hub.Hub, c hub.Client, config acp.Config) error {
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	c.HangUp = hangUp
	return acp.Serve(ctx, config, func(v core.View) core.Source { return h.Connect(v, c) })
}

// client returns what is known about the client of a connection.
func (o *serveOptions) client(c *server.Conn) consent.Client {
	return consent.Client{Token: c.Token, Remote: c.Remote, Transport: c.Transport, Watches: o.watches(c.Token)}
}

// watches reports whether clients with the named token may only watch.
func (o *serveOptions) watches(token string) bool {
	return o.known != nil && token != "" && o.known.Watches(token)
}

// of returns an agent's hub and the key of its sessions in the journal. The hub is nil if
// the agent is unknown or can't be opened.
func (h *hubs) of(name string) (*hub.Hub, string) {
	o := h.options.agent
	switch {
	case name == "":
	case name == o.name:
		name = "" // the chosen agent, by its own name
	case o.name != "" || o.url != "" || o.replay != "" || len(o.command) > 0:
		return nil, "" // only the chosen agent is served
	default:
		o.name = name
	}
	choice, err := o.open(".")
	if err != nil {
		h.log.Warn("an agent cannot be served", "agent", name, "error", err)
		return nil, ""
	}
	return h.hub(name, choice.Key, o, h.log.With("agent", choice.Key)), choice.Key
}

// hub returns an agent's hub. It creates the hub on first use.
func (h *hubs) hub(name, key string, o agentOptions, log *slog.Logger) *hub.Hub {
	h.mu.Lock()
	defer h.mu.Unlock()
	if there := h.all[name]; there != nil {
		return there
	}
	var questions hub.Questions
	if h.shared != nil {
		questions = h.shared
	}
	var made *hub.Hub
	made = hub.New(hub.Config{
		Version: version(), Log: log, Agent: key, Questions: questions, Elsewhere: h.elsewhere(name), Worked: func(id string) { h.worked(name, id) },
		Observe: h.notifier.Observe(agents.NameOfKey(key), func(id string) int { return made.Active(id) }),
		Spool:   h.spool(),
		Open: func(_ context.Context, v core.View) (core.Source, error) {
			return h.source(o, core.Config{Log: log, Journal: h.store, MaxSessions: h.options.sessions, Prepare: true}, v)
		},
	})
	h.all[name] = made
	return made
}

// spool returns the folder for the part of long sessions that is not kept in memory, or
// "" if sessions are not saved.
func (h *hubs) spool() string {
	cache := cacheFolder()
	if h.store == nil || cache == "" {
		return ""
	}
	return filepath.Join(cache, "spool")
}

// worked notifies the Agent Host Protocol host of an agent's activity.
func (h *hubs) worked(name, id string) {
	h.mu.Lock()
	host := h.ahp
	h.mu.Unlock()
	if host != nil {
		host.Worked(providerOf(name), id)
	}
}

// source creates the source of an agent's sessions for a hub. It opens the agent each
// time, because the configuration may have changed.
func (h *hubs) source(o agentOptions, config core.Config, v core.View) (core.Source, error) {
	choice, err := o.open(".")
	if err != nil {
		return nil, err
	}
	if err := o.decide(&config, nil, h.log); err != nil {
		return nil, err
	}
	return measuredSource(h.measured, choice, config, v), nil
}

// openStore opens the session store. The caller must call closeStore.
func (h *hubs) openStore(ctx context.Context) (closeStore func(), err error) {
	o := h.options
	if !o.journal.off {
		if err := o.store.choose(o.agent.config); err != nil {
			return nil, err
		}
	}
	if o.store.url == "" {
		h.store, closeStore, err = o.journal.open(o.agent.config, h.log)
		return closeStore, err
	}
	shared, err := o.store.open(ctx, h.log, h.lost)
	if err != nil {
		return nil, err
	}
	h.store, h.shared = shared, shared
	if err := shared.Accept(h.tunnel); err != nil {
		return nil, errors.Join(err, shared.Close())
	}
	return func() {
		if err := shared.Close(); err != nil {
			h.log.Warn("the store could not be closed", "error", err)
		}
	}, nil
}

// elsewhere returns a function that finds the other server that owns a session of an
// agent.
func (h *hubs) elsewhere(name string) func(context.Context, string) (*hub.Peer, error) {
	if h.shared == nil {
		return nil
	}
	return func(ctx context.Context, id string) (*hub.Peer, error) {
		owner, err := h.shared.Await(ctx, id)
		if owner == nil {
			return nil, err
		}
		return &hub.Peer{Server: owner.Server, Serve: func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			t, err := h.shared.Dial(ctx, owner.Server, name)
			if err != nil {
				return err
			}
			defer context.AfterFunc(ctx, func() { _ = t.Close() })()
			go func() {
				_, _ = io.Copy(t, in) // when either side closes, close the tunnel
				_ = t.Close()
			}()
			_, err = io.Copy(out, t)
			return errors.Join(err, t.Close())
		}}, nil
	}
}

// tunnel returns a function that serves an agent's sessions on this server to other
// servers. It returns nil if the agent has no hub.
func (h *hubs) tunnel(name string) func(context.Context, *natsstore.Tunnel) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.all[name]
	if one == nil {
		return nil
	}
	return func(ctx context.Context, t *natsstore.Tunnel) {
		if err := serveClient(ctx, one, hub.Client{Peer: true}, acp.Config{In: t, Out: t, Log: h.log}); err != nil {
			h.log.Warn("the connection to another server failed", "error", err)
		}
	}
}

// lost ends a session that another server has taken over.
func (h *hubs) lost(id string, cause error) {
	h.mu.Lock()
	all := slices.Collect(maps.Values(h.all))
	h.mu.Unlock()
	for _, one := range all {
		one.End(id, cause)
	}
}

// live lists the open sessions, sorted by agent name.
func (h *hubs) live() (all []control.Session) {
	h.mu.Lock()
	names := slices.Sorted(maps.Keys(h.all))
	of := maps.Clone(h.all)
	h.mu.Unlock()
	for _, name := range names {
		for _, s := range of[name].Sessions() {
			all = append(all, control.Session{
				ID: s.ID, Agent: name, Cwd: s.Cwd, Clients: s.Clients, Running: s.Running, Waiting: s.Waiting,
			})
		}
	}
	return all
}

// close ends all sessions.
func (h *hubs) close() {
	h.mu.Lock()
	all := slices.Collect(maps.Values(h.all))
	h.mu.Unlock()
	var work sync.WaitGroup
	for _, one := range all {
		work.Go(one.Close)
	}
	work.Wait()
}
