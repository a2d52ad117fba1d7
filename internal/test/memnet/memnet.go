// Package memnet has servers without sockets, for tests in synctest bubbles. A goroutine
// that waits for a socket stops a bubble's clock; one that waits for an in-memory pipe
// does not.
package memnet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A Listener accepts the connections that its Dial method makes.
type Listener struct {
	conns  chan net.Conn
	closed chan struct{}
	end    sync.Once
}

// Listen returns a new listener.
func Listen() *Listener { return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})} }

// Dial connects to the listener.
func (l *Listener) Dial() (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.closed:
		return nil, errors.New("nobody listens")
	}
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *Listener) Close() error {
	l.end.Do(func() { close(l.closed) })
	return nil
}

// Addr implements [net.Listener].
func (*Listener) Addr() net.Addr { return &net.TCPAddr{} }

// Transport returns a transport whose requests go to the listener, whatever their host.
func (l *Listener) Transport() *http.Transport {
	return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return l.Dial() }}
}

// Serve serves HTTP until the test ends, on connections from the returned listener.
func Serve(t testing.TB, h http.Handler) *Listener {
	t.Helper()
	l := Listen()
	log := slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	var open sync.WaitGroup                                                                        // connections: some outlive Close by half a second
	web := &http.Server{Handler: h, ErrorLog: log, ConnState: func(_ net.Conn, s http.ConnState) { //nolint:gosec // it is only reached by the test
		switch s {
		case http.StateNew:
			open.Add(1)
		case http.StateHijacked, http.StateClosed:
			open.Done()
		}
	}}
	done := make(chan error, 1)
	go func() { done <- web.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, web.Close())
		require.ErrorIs(t, <-done, http.ErrServerClosed)
		open.Wait()
	})
	return l
}
