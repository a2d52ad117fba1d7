package ethos_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/ethos"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

const (
	goodKey    = "Bearer sk-ethos-good"
	goodCookie = "steady"
	goodToken  = "from-the-terminal"
)

// server implements the web API of Ethos for one conversation.
type server struct {
	t *testing.T
	*httptest.Server
	calls chan string // requests, except for streams

	mu      sync.Mutex
	events  []string      // of the conversation
	more    chan struct{} // closed when there is more
	cutAt   int           // the stream breaks once after this event
	opened  []string      // the Last-Event-ID of each stream
	answers map[string]chan string
	stop    chan struct{}
	closing chan struct{}
	turns   sync.WaitGroup
	gone    bool // it has lost the conversation
	token   string
	stuck   chan struct{} // approvals get no response until it is closed
	failing bool          // no decision arrives
	raw     string        // an extra event in a turn
}

func serve(t *testing.T) *server {
	s := &server{t: t, calls: make(chan string, 100), more: make(chan struct{}), answers: map[string]chan string{}, stop: make(chan struct{}, 10), closing: make(chan struct{}), token: goodToken}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /auth/exchange", s.exchange)
	mux.HandleFunc("POST /rpc/{space}/{name}", s.guarded(s.rpc))
	mux.HandleFunc("GET /sse/sessions/{id}", s.guarded(s.stream))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() {
		close(s.closing)
		s.turns.Wait()
		s.Close()
	})
	return s
}

func (s *server) config(authorization string) ethos.WebConfig {
	return ethos.WebConfig{Remote: httpsse.Config{BaseURL: s.URL, Header: http.Header{"Authorization": {authorization}}}, Personality: "asker"}
}

func (s *server) exchange(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Query().Get("t") != s.token {
		http.Error(w, `{"ok":false,"code":"UNAUTHORIZED","error":"Invalid or rotated token"}`, http.StatusUnauthorized)
		return
	}
	s.token = "rotated"
	http.SetCookie(w, &http.Cookie{Name: "ethos_auth", Value: goodCookie, HttpOnly: true})
	http.Redirect(w, r, "/", http.StatusFound)
}

func (s *server) guarded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("ethos_auth")
		signedIn := err == nil && cookie.Value == goodCookie
		switch {
		case !signedIn && r.Header.Get("Authorization") != goodKey:
			http.Error(w, `{"ok":false,"code":"UNAUTHORIZED","error":"Missing auth cookie"}`, http.StatusUnauthorized)
		case signedIn && r.Method == http.MethodPost && r.Header.Get("Origin") != s.URL:
			http.Error(w, `{"ok":false,"code":"UNAUTHORIZED","error":"Missing Origin header"}`, http.StatusUnauthorized)
		case !signedIn && r.PathValue("space") == "clarify":
			http.Error(w, `{"ok":false,"code":"FORBIDDEN","error":"Namespace clarify is experimental"}`, http.StatusForbidden)
		default:
			next(w, r)
		}
	}
}

type call struct {
	Text, SessionID, PersonalityID, ApprovalID, Scope, Reason, RequestID, Answer, Source string
	Attachments                                                                          []struct{ Type, Data, MimeType string }
}

func (s *server) rpc(w http.ResponseWriter, r *http.Request) {
	var body struct{ JSON call }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	c := body.JSON
	w.Header().Set("Content-Type", "application/json")
	switch name := r.PathValue("name"); name {
	case "send":
		s.calls <- fmt.Sprintf("send %s %s %d", c.Text, c.PersonalityID, len(c.Attachments))
		s.mu.Lock()
		gone := s.gone && c.SessionID != ""
		s.mu.Unlock()
		if gone {
			http.Error(w, `{"json":{"code":"SESSION_NOT_FOUND"}}`, http.StatusNotFound)
			return
		}
		if c.Text == "unanswered" {
			<-r.Context().Done()
			return
		}
		s.turns.Go(func() { s.turn(c.Text) })
		_, _ = fmt.Fprint(w, `{"json":{"sessionId":"s/1","turnId":"x"}}`)
		return
	case "list":
		_, _ = fmt.Fprint(w, `{"json":{"items":[{"id":"asker","name":"Asker","description":null},{"id":"maker","name":"Maker","description":"Makes it."}],"nextCursor":null,"defaultId":"maker"}}`)
		return
	case "abort":
		s.calls <- "abort"
		s.stop <- struct{}{}
	case "get":
		_, _ = fmt.Fprint(w, `{"json":{"session":{"id":"s/1","personalityId":"asker"},"messages":[]}}`)
		return
	case "steer":
		s.calls <- "steer " + c.SessionID + " " + c.Text
		_, _ = fmt.Fprintf(w, `{"json":{"ok":%v}}`, c.Text != "too much")
		return
	case "approve":
		s.settle(w, c.ApprovalID, "approve "+c.ApprovalID+" "+c.Scope)
		return
	case "deny":
		s.settle(w, c.ApprovalID, "deny "+c.ApprovalID+" "+c.Reason)
		return
	case "respond":
		s.settle(w, c.RequestID, "respond "+c.RequestID+" "+c.Source+" "+c.Answer)
		return
	}
	_, _ = fmt.Fprint(w, `{"json":{"ok":true}}`)
}

// settle resolves what a turn waits for, once.
func (s *server) settle(w http.ResponseWriter, id, what string) {
	s.calls <- what
	s.mu.Lock()
	stuck, failing := s.stuck, s.failing
	s.mu.Unlock()
	if stuck != nil && strings.HasPrefix(what, "approve") {
		<-stuck
	}
	if failing {
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	waiting, ok := s.answers[id]
	delete(s.answers, id)
	s.mu.Unlock()
	if !ok {
		http.Error(w, `{"json":{"code":"INVALID_INPUT","status":400,"message":"No pending approval"}}`, http.StatusBadRequest)
		return
	}
	waiting <- what
	_, _ = fmt.Fprint(w, `{"json":{"ok":true}}`)
}

// say adds events to the conversation.
func (s *server) say(events ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, events...)
	close(s.more)
	s.more = make(chan struct{})
}

// request sends a request, and waits for the answer.
func (s *server) request(id, event string) string {
	waiting := make(chan string, 1)
	s.mu.Lock()
	s.answers[id] = waiting
	s.mu.Unlock()
	s.say(event)
	return s.wait(waiting)
}

// wait waits for an answer. It gives up when the test ends.
func (s *server) wait(waiting <-chan string) string {
	select {
	case answer := <-waiting:
		return answer
	case <-s.closing:
		return ""
	}
}

// stopped waits for an abort.
func (s *server) stopped() {
	select {
	case <-s.stop:
	case <-s.closing:
	}
}

func (s *server) stream(w http.ResponseWriter, r *http.Request) {
	last := r.Header.Get("Last-Event-ID")
	from, _ := strconv.Atoi(last)
	s.mu.Lock()
	s.opened = append(s.opened, last)
	from = min(from, len(s.events)) // the client may name a later event
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = fmt.Fprint(w, "data: {\"type\":\"stream_meta\",\"requestId\":\"r\"}\n\n")
	for {
		s.mu.Lock()
		events, more := s.events[min(from, len(s.events)):], s.more
		cut := s.cutAt > 0 && from < s.cutAt && from+len(events) >= s.cutAt
		if cut {
			events = events[:s.cutAt-from]
			s.cutAt = 0
		}
		s.mu.Unlock()
		for _, e := range events {
			from++
			_, _ = fmt.Fprintf(w, "data: %s\nid: %d\n\n: beat\n\n", e, from)
		}
		w.(http.Flusher).Flush()
		if cut {
			panic(http.ErrAbortHandler)
		}
		select {
		case <-more:
		case <-r.Context().Done():
			return
		}
	}
}

func (s *server) lastIDs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.opened...)
}

// called returns the next call.
func (s *server) called() string {
	s.t.Helper()
	return <-s.calls
}

func requireCalls(t *testing.T, s *server, want ...string) {
	t.Helper()
	for _, w := range want {
		require.Equal(t, w, s.called())
	}
}
