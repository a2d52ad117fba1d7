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
	// maxNewcomers bounds the network connections of strangers. Each is a file for
	// the process, whose files are few: without a bound, strangers keep those out who
	// have a token.
	maxNewcomers = 64
	// bodyTimeout is how long a body may take that no handler reads.
	bodyTimeout = time.Minute
)

// newcomers are the network connections on which no request has passed the guard, the
// oldest first. One too many ends the oldest.
type newcomers struct {
	mu    sync.Mutex
	conns []net.Conn
}

type connKey struct{}

// follow sets the hooks of a server.
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
		if over, ok := oldest.(*tls.Conn); ok {
			oldest = over.NetConn() // without the goodbye of TLS, which can wait
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

// admit returns next, for behind a guard: who sends a request there is no stranger.
func (n *newcomers) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(net.Conn); ok {
			n.remove(c)
		}
		next.ServeHTTP(w, r)
	})
}

// boundBodies returns next with a time for bodies, which counts while a handler does
// not read them, too.
func boundBodies(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // every writer of a server can
		}
		next.ServeHTTP(w, r)
	})
}
