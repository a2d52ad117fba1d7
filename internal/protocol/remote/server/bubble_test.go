package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/memnet"
)

// clients are the HTTP clients of in-memory servers, by URL.
var (
	clients sync.Map
	served  atomic.Int64
)

// clientOf returns the client that reaches a server.
func clientOf(url string) *http.Client {
	c, _ := clients.Load(url)
	return c.(*http.Client)
}

// A web is an in-memory server.
type web struct {
	t        *testing.T
	URL      string
	listener *memnet.Listener
}

// dial connects without HTTP.
func (w *web) dial() net.Conn {
	c, err := w.listener.Dial()
	require.NoError(w.t, err)
	return c
}

// start serves in memory until the end of the test. It must be called in a synctest
// bubble.
func start(t *testing.T, l server.Limits, known guard.Tokens, accept func(context.Context, *server.Conn)) (*web, *server.Handler) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	h := server.New(l, log, accept)
	g := &guard.Guard{Tokens: known, Log: log}
	url, listener := serve(t, g.Wrap(h))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.Close(ctx)
	})
	return &web{t, url, listener}, h
}

// serve serves in memory, and returns a URL that [clientOf] knows.
func serve(t testing.TB, h http.Handler) (url string, l *memnet.Listener) {
	t.Helper()
	l = memnet.Serve(t, h)
	transport := l.Transport()
	url = fmt.Sprintf("http://localhost:%d", served.Add(1))
	clients.Store(url, &http.Client{Transport: transport})
	t.Cleanup(func() {
		clients.Delete(url)
		transport.CloseIdleConnections()
	})
	return url, l
}
