// Package serve listens for clients of ACP's remote transport.
//
// # Contract
//
// The package doesn't know what runs behind a connection: it passes each connection to
// [Config].Agent, as lines. Only this machine is served without tokens and TLS, unless
// [Config].Insecure is set; this is checked before anything listens. At shutdown the
// handlers are notified and waited for, and all connections are closed.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/app/localca"
	"github.com/turnwire/turnwire/internal/app/page"
	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

const (
	// endBudget limits the shutdown. Bridges need less than two seconds.
	endBudget     = 5 * time.Second
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
	// deadAfter is how long a client may be silent on an HTTP/2 connection until it is
	// pinged, and how long it may take to answer that.
	deadAfter = 8 * time.Second
	// maxStreams is how many requests a client may have open on one HTTP/2 connection.
	// Each session needs one.
	maxStreams = 1100
)

// Config says where to listen, and for whom.
type Config struct {
	// Listen is a host and a port, such as localhost:7777; "" if unused.
	Listen string
	// Socket is the path of a Unix socket or named pipe that only this user can open; ""
	// if unused.
	Socket string
	// TLSCert and TLSKey are PEM files; both are empty without TLS, or if there is a
	// Certificate.
	TLSCert, TLSKey string
	// Certificate is used instead of TLSCert; it may be nil.
	Certificate Certificate
	// Trust explains how to trust the Certificate, below its path. It is served without a
	// token; it may be nil.
	Trust http.Handler
	// Tokens are the tokens that clients must present. If nil, everyone may connect.
	Tokens guard.Tokens
	// Hosts and Origins are passed to [guard.Guard].
	Hosts, Origins []string
	// Insecure allows serving other machines without tokens and without TLS.
	Insecure bool
	Limits   server.Limits
	// Agent returns a function that serves a connection to the named agent and returns
	// when the connection ends. The name comes from the URL; "" is the agent at /acp.
	// Agent returns nil for an unknown agent. It is called once for each known agent.
	Agent func(name string) func(context.Context, *server.Conn)
	// AHP serves an Agent Host Protocol connection, which is a WebSocket at [PathAHP]. If
	// nil, the protocol is not served.
	AHP func(context.Context, *server.Conn)
	// Page is served without a token to everyone who can reach Listen, below all paths
	// except the agents' and PageState's. PageState requires a token. Both may be nil.
	Page, PageState http.Handler
	// Control is served only on the socket, below /control/; it may be nil.
	Control http.Handler
	// Metrics is served at /metrics; it may be nil.
	Metrics http.Handler
	// Ready is called with the endpoint's URLs when the server is reachable.
	Ready func(urls []string)
	Log   *slog.Logger
}

// Run listens and serves until ctx ends. It returns an error if it can't.
func (c Config) Run(ctx context.Context) error {
	if c.Listen == "" && c.Socket == "" {
		return errNowhere
	}
	endpoints := newEndpoints(c)
	var doors []door
	defer func() {
		for _, d := range doors {
			_ = d.listener.Close() // the server also closes it
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

// A door is a listener and its HTTP server.
type door struct {
	web      *http.Server
	listener net.Listener
	urls     []string
}

// network listens for network connections.
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
	certificate := c.Certificate
	if certificate == nil && c.TLSCert != "" {
		if certificate, err = loadCertificate(c.TLSCert, c.TLSKey, c.Log); err != nil {
			return d, err
		}
	}
	if certificate != nil {
		g.HasName, hosts.HasName = hasName(certificate), hasName(certificate)
		d.web.TLSConfig = tlsConfig(certificate)
	}
	if d.listener, err = net.ListenTCP("tcp", address); err != nil {
		return d, fmt.Errorf("--listen: %w", err)
	}
	d.urls = c.urls(d.listener.Addr())
	return d, nil
}

// withPage adds the page to the handlers behind the guard.
func (c Config) withPage(g *guard.Guard, strangers *newcomers, endpoints http.Handler) http.Handler {
	behind := g.Wrap(strangers.admit(endpoints))
	if c.Page == nil {
		return behind
	}
	mux := http.NewServeMux()
	mux.Handle(remote.Path, behind)
	mux.Handle(remote.Path+"/", behind)
	mux.Handle(pathMetrics, behind)
	for _, at := range []string{page.StatePath, page.PushPath} {
		mux.Handle(at, g.Wrap(strangers.admit(c.PageState)))
	}
	mux.Handle("/", g.WrapOpen(c.Page))
	if c.Trust != nil {
		mux.Handle(localca.Path, g.WrapOpen(c.Trust))
		mux.Handle(localca.Path+"/", g.WrapOpen(c.Trust))
	}
	return mux
}

func (c Config) server(handler http.Handler) *http.Server {
	web := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		Protocols: new(http.Protocols), ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: maxStreams, SendPingTimeout: deadAfter, PingTimeout: deadAfter},
	}
	web.Protocols.SetHTTP1(true)
	web.Protocols.SetHTTP2(true)
	web.Protocols.SetUnencryptedHTTP2(true)
	return web
}

// run serves until ctx ends or serving fails.
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
		c.Log.Info("stopping on a signal", "cause", context.Cause(ctx))
	}
	limited, cancel := context.WithTimeout(context.Background(), endBudget)
	defer cancel()
	endpoints.close(limited)
	for _, d := range doors {
		if err := d.web.Shutdown(limited); err != nil {
			c.Log.Warn("some work did not end in time", "error", err)
			_ = d.web.Close()
		}
	}
	if failed != nil && !errors.Is(failed, http.ErrServerClosed) {
		return fmt.Errorf("serving: %w", failed)
	}
	return nil
}
