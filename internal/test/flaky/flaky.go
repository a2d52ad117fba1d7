// Package flaky has servers of the remote transport whose network and processes fail, for
// tests in synctest bubbles.
package flaky

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/badnet"
	"github.com/turnwire/turnwire/internal/test/memnet"
)

// A Site is an in-memory server behind a proxy. It must be created in a synctest bubble.
type Site struct {
	// Proxy is what breaks.
	Proxy *badnet.Proxy
	// URL is for clients. It may be changed to one with http.
	URL string

	t       *testing.T
	handler *server.Handler
	web     *http.Server
	known   guard.Tokens
	accept  func(context.Context, *server.Conn)
	end     sync.Once
}

// Open serves accept until the end of the test, behind a proxy with a seed.
func Open(t *testing.T, seed uint64, l server.Limits, known guard.Tokens, accept func(context.Context, *server.Conn)) *Site {
	t.Helper()
	s := &Site{URL: "ws://localhost/acp", t: t, known: known, accept: accept, Proxy: badnet.NewProxy(seed)}
	s.start(l)
	t.Cleanup(s.Close)
	return s
}

// Close ends the server and all connections, and waits until nothing is left.
func (s *Site) Close() {
	s.end.Do(func() {
		s.stop()
		s.Proxy.Close()
	})
}

// Calm is like Open, but everything works until the test breaks it.
func Calm(t *testing.T, l server.Limits, known guard.Tokens, accept func(context.Context, *server.Conn)) *Site {
	t.Helper()
	s := Open(t, 1, l, known, accept)
	s.Proxy.Calm()
	return s
}

// start starts the server.
func (s *Site) start(l server.Limits) {
	log := slog.New(slog.DiscardHandler)
	s.handler = server.New(l, log, s.accept)
	s.web = &http.Server{Handler: (&guard.Guard{Tokens: s.known, Log: log}).Wrap(s.handler), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)} //nolint:gosec // only the test reaches it
	web, listener := s.web, memnet.Listen()
	s.Proxy.To(listener.Dial)
	go func() { _ = web.Serve(listener) }()
}

// stop ends the server.
func (s *Site) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.handler.Close(ctx)
	require.NoError(s.t, s.web.Close())
	s.Proxy.Cut()
}

// Restart stops the server, which tells its clients, and starts another one.
func (s *Site) Restart(l server.Limits) {
	s.stop()
	s.start(l)
}

// Crash replaces the server by another one, without a word to its clients.
func (s *Site) Crash(l server.Limits) {
	old, web := s.handler, s.web
	s.Proxy.Cut()
	s.start(l)
	require.NoError(s.t, web.Close())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	old.Close(ctx)
}

// Config returns the configuration of a client behind the proxy.
func (s *Site) Config() client.Config {
	return client.Config{URL: s.URL, Dial: s.Proxy.Dial, Header: http.Header{"Authorization": {"Bearer right"}}}
}
