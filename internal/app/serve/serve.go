// Package serve listens for clients of ACP's remote transport.
//
// # Contract
//
// What runs behind a connection is not its business: [Config].Serve is given each,
// as lines. Nothing but this machine is served without tokens and TLS, unless
// [Config].Insecure says so; that is found out before anything listens. At the end
// what runs is told, and waited for; no connection outlives it.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/app/page"
	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

const (
	// endBudget is how long the end may take. Bridges need less than two seconds.
	endBudget     = 5 * time.Second
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	// maxStreams is how many requests a client may have open on one connection of
	// HTTP/2: there is one for each session.
	maxStreams = 1100
)

// Config says where to listen, and for whom.
type Config struct {
	// Listen is a host and a port, such as localhost:7777; "" is none.
	Listen string
	// Socket is the path of a Unix socket, or of a named pipe, for this user alone; ""
	// is none.
	Socket string
	// TLSCert and TLSKey are files in PEM; both are empty for no TLS.
	TLSCert, TLSKey string
	// Tokens are wanted of clients; nil lets everybody in.
	Tokens guard.Tokens
	// Hosts and Origins are those of [guard.Guard].
	Hosts, Origins []string
	// Insecure serves other machines without tokens, and without TLS.
	Insecure bool
	Limits   server.Limits
	// Agent returns what speaks the protocol on a connection with the agent that
	// the URL names, "" for the one at /acp, and returns at the connection's end. It
	// is nil for an agent that there is not. It is called once for each.
	Agent func(name string) func(context.Context, *server.Conn)
	// AHP speaks the Agent Host Protocol on a connection, which is a WebSocket at
	// [PathAHP]; nil where that is not served.
	AHP func(context.Context, *server.Conn)
	// Page is what everybody gets who can reach Listen, below every path but that of
	// the agents and of PageState, which wants a token; they may be nil.
	Page, PageState http.Handler
	// Control is what is served on the socket alone, below /control/; it may be nil.
	Control http.Handler
	// Metrics is what is served at /metrics; it may be nil.
	Metrics http.Handler
	// Ready is called with the URLs of the endpoint, once it can be reached.
	Ready func(urls []string)
	Log   *slog.Logger
}

// Run listens and serves until ctx ends. The error is why it could not.
func (c Config) Run(ctx context.Context) error {
	if c.Listen == "" && c.Socket == "" {
		return errNowhere
	}
	endpoints := newEndpoints(c)
	var doors []door
	defer func() {
		for _, d := range doors {
			_ = d.listener.Close() // the server closes it, too
		}
	}()
	if c.Listen != "" {
		d, err := c.network(endpoints)
		if err != nil {
			return err
		}
		doors = append(doors, d)
	}
	if c.Socket != "" {
		d, err := c.local(endpoints)
		if err != nil {
			return err
		}
		doors = append(doors, d)
	}
	return c.run(ctx, doors, endpoints)
}

// A door is one of the places where the server listens.
type door struct {
	web      *http.Server
	listener net.Listener
	urls     []string
}

// network listens for other machines.
func (c Config) network(endpoints *endpoints) (d door, err error) {
	address, err := c.resolve()
	if err != nil {
		return d, err
	}
	g := &guard.Guard{Tokens: c.Tokens, Hosts: append(c.Hosts, c.host()), Origins: c.Origins, Log: c.Log}
	hosts := hostGuard(g)
	strangers := new(newcomers)
	d.web = c.server(boundBodies(health(endpoints, c.withHost(hosts, endpoints, c.withPage(g, strangers, endpoints)))))
	strangers.follow(d.web)
	if c.TLSCert != "" {
		certificate, err := loadCertificate(c.TLSCert, c.TLSKey, c.Log)
		if err != nil {
			return d, err
		}
		g.HasName, hosts.HasName = certificate.hasName, certificate.hasName
		d.web.TLSConfig = certificate.config()
	}
	if d.listener, err = net.ListenTCP("tcp", address); err != nil {
		return d, fmt.Errorf("--listen: %w", err)
	}
	d.urls = c.urls(d.listener.Addr())
	return d, nil
}

// withPage adds the page to what is served behind the guard.
func (c Config) withPage(g *guard.Guard, strangers *newcomers, endpoints http.Handler) http.Handler {
	behind := g.Wrap(strangers.admit(endpoints))
	if c.Page == nil {
		return behind
	}
	mux := http.NewServeMux()
	mux.Handle(remote.Path, behind)
	mux.Handle(remote.Path+"/", behind)
	mux.Handle(pathMetrics, behind)
	mux.Handle(page.StatePath, g.Wrap(strangers.admit(c.PageState)))
	mux.Handle("/", g.WrapOpen(c.Page))
	return mux
}

func (c Config) server(handler http.Handler) *http.Server {
	web := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}
	web.Protocols.SetHTTP1(true)
	web.Protocols.SetHTTP2(true)
	web.Protocols.SetUnencryptedHTTP2(true)
	return web
}

// run serves until ctx ends, or serving fails.
func (c Config) run(ctx context.Context, doors []door, endpoints *endpoints) error {
	served := make(chan error, len(doors))
	var urls []string
	for _, d := range doors {
		go func() {
			if d.web.TLSConfig != nil {
				served <- d.web.ServeTLS(d.listener, "", "")
				return
			}
			served <- d.web.Serve(d.listener)
		}()
		urls = append(urls, d.urls...)
	}
	c.Ready(urls)
	var failed error
	select {
	case failed = <-served:
	case <-ctx.Done():
		c.Log.Info("told to stop", "cause", context.Cause(ctx))
	}
	limited, cancel := context.WithTimeout(context.Background(), endBudget)
	defer cancel()
	endpoints.close(limited)
	for _, d := range doors {
		if err := d.web.Shutdown(limited); err != nil {
			c.Log.Warn("not everything ended in time", "error", err)
			_ = d.web.Close()
		}
	}
	if failed != nil && !errors.Is(failed, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", failed)
	}
	return nil
}
