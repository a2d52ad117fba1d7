package sim

import (
	"context"
	"io"

	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
	remoteserver "github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// A site is the server's address for an agent, behind a network that breaks. It outlives
// the server.
type site struct {
	*flaky.Site

	agent *agentSpec
	to    *server // guarded by the world
}

// site returns the address of an agent. It is created when a client needs it, because a
// network costs more than the rest of a world.
func (w *World) site(a *agentSpec) *site {
	if s := w.sites[a.Name]; s != nil {
		return s
	}
	s := &site{agent: a, to: w.server}
	s.Site = flaky.Open(w.t, w.plan.Seed+uint64(len(w.sites)), remoteserver.Limits{}, nil, func(ctx context.Context, c *remoteserver.Conn) {
		w.mu.Lock()
		to := s.to
		w.mu.Unlock()
		to.serveHub(ctx, s.agent.Name, hub.Client{Away: c.Away}, acp.Config{In: c, Out: c, CloseIn: c.CloseRead, Log: w.log})
	})
	s.Proxy.Lag(maxLatency)
	w.sites[a.Name] = s
	return s
}

// forgetTravellers records that the server may no longer know what travellers have received.
// They continue with what happens from then on.
func (w *World) forgetTravellers() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.clients {
		if c.kind != traveller {
			continue
		}
		c.forgets++
		for _, v := range c.views {
			v.full = false
		}
		for _, one := range c.calls {
			one.gap = one.gap || one.open
		}
	}
}

// moveSites makes the addresses lead to the world's current server.
func (w *World) moveSites() {
	w.forgetTravellers()
	for _, name := range sortedKeys(w.sites) {
		w.mu.Lock()
		w.sites[name].to = w.server
		w.mu.Unlock()
		w.sites[name].Restart(remoteserver.Limits{})
	}
}

// closeSites ends the network.
func (w *World) closeSites() {
	for _, name := range sortedKeys(w.sites) {
		w.sites[name].Close()
	}
}

// travel connects a client over the network, as "turnwire acp --server" does with a WebSocket,
// and "turnwire acp --url" with either.
func (w *World) travel(c *client) {
	config := w.site(c.agent).Config()
	if c.streams {
		config.URL = "http://localhost/acp"
	}
	conn, err := durable.Open(durable.Config{Config: config, Answer: true, Linger: true})
	if err != nil {
		w.fail("a client can connect", err)
		return
	}
	w.travels.Go(func() {
		_, _ = io.Copy(conn, c.toServer) // fails when the other side ends
		_ = conn.Close()
	})
	w.travels.Go(func() {
		_, _ = io.Copy(c.fromServer, conn)
		_ = conn.Close()
		<-conn.Done()
		c.toServer.cut()
		_ = c.fromServer.Close() // never fails
	})
}
