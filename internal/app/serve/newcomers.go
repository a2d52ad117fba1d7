package serve

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	// maxNewcomers limits the network connections of strangers. Each one uses a file
	// descriptor, and a process has few. Without a limit, strangers could lock out
	// clients that have a token.
	maxNewcomers = 64
	// bodyTimeout limits how long a body may take that no handler reads.
	bodyTimeout = time.Minute
)

// newcomers are the network connections on which no request has passed the guard yet,
// oldest first. When there are too many, the oldest is closed.
type newcomers struct {
	mu    sync.Mutex
	conns []net.Conn
}

type connKey struct{}

// follow installs the hooks in a server.
func (n *newcomers) follow(web *http.Server) {
	web.ConnState = func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			n.add(c)
		case http.StateHijacked, http.StateClosed:
			n.remove(c)
		}
	}
	web.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, c)
	}
}

func (n *newcomers) add(c net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conns = append(n.conns, c)
	if len(n.conns) > maxNewcomers {
		oldest := n.conns[0]
		if secured, ok := oldest.(*tls.Conn); ok {
			oldest = secured.NetConn() // skip the TLS close notification, which may block
		}
		_ = oldest.Close()
		n.conns = slices.Delete(n.conns, 0, 1)
	}
}

func (n *newcomers) remove(c net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := slices.Index(n.conns, c); i >= 0 {
		n.conns = slices.Delete(n.conns, i, i+1)
	}
}

// admit wraps a handler behind the guard. A connection whose request gets there is no
// longer a newcomer.
func (n *newcomers) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(net.Conn); ok {
			n.remove(c)
		}
		next.ServeHTTP(w, r)
	})
}

// boundBodies limits the time for request bodies, even if no handler reads them.
func boundBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // every writer of an HTTP server supports it
		}
		next.ServeHTTP(w, r)
	})
}
