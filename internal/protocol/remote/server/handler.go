package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

// A Handler serves the endpoint.
type Handler struct {
	accept func(context.Context, *Conn)
	limits Limits
	log    *slog.Logger
	begin  *rate.Limiter // limits new connections

	greetings chan struct{} // a semaphore for bodies from clients without a connection

	instance string // identifies this handler to clients that resume

	ctx  context.Context // done when the server stops
	stop context.CancelCauseFunc
	work sync.WaitGroup // connections being served

	mu     sync.Mutex
	open   int
	conns  map[string]*exchange // those over HTTP
	links  map[string]*link     // the resumable ones
	ending bool
	all    map[*Conn]bool
}

// New returns a handler that calls accept for each connection, on its own goroutine.
// [Handler.Close] cancels the context; accept should then finish its work and tell the
// client. Clients' messages are not written to log.
func New(limits Limits, log *slog.Logger, accept func(context.Context, *Conn)) *Handler {
	h := &Handler{
		accept: accept, limits: limits.withDefaults(), log: log,
		begin:     rate.NewLimiter(initialRate, 2*initialRate),
		greetings: make(chan struct{}, limits.withDefaults().Conns),
		conns:     make(map[string]*exchange), links: make(map[string]*link), all: make(map[*Conn]bool),
		instance: rand.Text(),
	}
	h.ctx, h.stop = context.WithCancelCause(context.Background())
	return h
}

// Close ends all connections. It cancels their contexts, and waits until accept has
// returned for each and all output is delivered, or until ctx is done.
func (h *Handler) Close(ctx context.Context) {
	h.mu.Lock()
	h.ending = true
	h.mu.Unlock()
	h.stop(errStopping)
	done := make(chan struct{})
	go func() {
		h.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		h.mu.Lock()
		for c := range h.all {
			c.fail(errStopping)
		}
		h.mu.Unlock()
	}
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodGet:
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			h.webSocket(w, r)
			return
		}
		h.events(w, r)
	case http.MethodDelete:
		h.remove(w, r)
	case http.MethodHead:
		h.report(w, r)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST, DELETE")
		http.Error(w, "use GET, HEAD, POST or DELETE", http.StatusMethodNotAllowed)
	}
}

// admit reserves a place for another connection, or refuses the request. leave releases
// the place.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case !h.begin.Allow():
		refuse(w, http.StatusTooManyRequests, "too many connections are being opened")
		return false
	case !h.enter() && !h.replace(r.Context()):
		refuse(w, http.StatusServiceUnavailable, "too many connections, or the server is shutting down")
		return false
	}
	return true
}

func (h *Handler) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ending || h.open >= h.limits.Conns {
		return false
	}
	h.open++
	h.work.Add(1)
	return true
}

// replace ends the connection that has waited longest for its first stream, and
// reserves its place.
func (h *Handler) replace(ctx context.Context) bool {
	h.mu.Lock()
	var oldest *exchange
	var began time.Time
	for _, x := range h.conns {
		if since, ok := x.waiting(); ok && (oldest == nil || since.Before(began)) {
			oldest, began = x, since
		}
	}
	if oldest != nil {
		delete(h.conns, oldest.ID)
	}
	h.mu.Unlock()
	if oldest == nil {
		return false
	}
	oldest.fail(errOrphan)
	timer := time.NewTimer(endWait)
	defer timer.Stop()
	select {
	case <-oldest.left:
	case <-timer.C:
	case <-ctx.Done():
	}
	return h.enter()
}

func (h *Handler) leave() {
	h.mu.Lock()
	h.open--
	h.mu.Unlock()
	h.work.Done()
}

// serve serves a connection until it ends.
func (h *Handler) serve(ctx context.Context, c *Conn) {
	h.mu.Lock()
	h.all[c] = true
	h.mu.Unlock()
	c.log.Info("a client connected")
	defer func() {
		h.mu.Lock()
		delete(h.all, c)
		h.mu.Unlock()
		c.log.Info("a connection ended", "cause", context.Cause(c.dead))
		c.cancel(errOver)
		_ = c.in.Close()
	}()
	h.accept(ctx, c)
}

// find returns a client's HTTP connection, or answers the request with an error.
func (h *Handler) find(w http.ResponseWriter, r *http.Request, id string) *exchange {
	if id == "" {
		refuse(w, http.StatusBadRequest, "the Acp-Connection-Id header is missing")
		return nil
	}
	h.mu.Lock()
	x := h.conns[id]
	h.mu.Unlock()
	if x == nil || x.Token != guard.CallerOf(r.Context()).Token {
		w.Header().Set(remote.HeaderInstance, h.instance)
		refuse(w, http.StatusNotFound, "unknown connection: start one with initialize")
		return nil
	}
	return x
}

// forget makes a connection impossible to find.
func (h *Handler) forget(x *exchange) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, x.ID)
}

// refuseCut answers a request whose client seems to be gone. If only one direction of its
// network is cut, it reads that it may try again.
func refuseCut(w http.ResponseWriter) {
	refuse(w, http.StatusServiceUnavailable, "the request was cut off")
}

// refuse answers a request with an error.
func refuse(w http.ResponseWriter, status int, why string) {
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, why, status)
}
