package agenttest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// maxStreams limits how many event streams a [Server] opens. Later requests fail, because
// a client might reconnect forever.
const maxStreams = 2

// A Server answers every request with fixed texts.
type Server struct {
	*httptest.Server
	mu      sync.Mutex
	stream  string
	answer  string
	streams int // number of opened streams
}

// NewServer starts a server that ends with the test.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	s := new(Server)
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

// Say sets the responses from now on: stream for requests for event streams, and answer
// for all others.
func (s *Server) Say(stream, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.answer, s.streams = stream, answer, 0
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.Contains(r.Header.Get("Accept"), "event-stream") {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, s.answer)
		return
	}
	if s.streams++; s.streams > maxStreams {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, s.stream)
}
