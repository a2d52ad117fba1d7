package awaken_test

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
)

// A decided is a decision that the stand-in received, at either route.
type decided struct {
	Target, Action string
	Payload        json.RawMessage
}

// A script implements the stand-in's agent in one run.
type script func(r *standRun)

// standIn implements the API of Awaken's server: runs, decisions, cancels, and
// an event store.
type standIn struct {
	t      *testing.T
	url    string
	script script

	// Set before the first request.
	older   bool          // it has /inputs and no event store
	passive bool          // and none of its runs accepts inputs
	unwired bool          // it has no event store
	forgets string        // the store omits lines that contain this, and the lines after them
	breaks  int           // a run's stream breaks after this many events
	drops   int           // each stream of the store ends after this many facts
	expired bool          // cursors are too old, once
	broken  bool          // streams of the store fail
	early   int           // this many decisions find nothing that waits for them
	stuck   chan struct{} // decisions to resume get no response until it is closed
	held    chan struct{} // streams of the store do not begin until it is closed
	refuse  http.Handler  // handles all requests

	decisions chan decided
	cancelled chan string // run ids
	stop      chan struct{}
	working   sync.WaitGroup

	mu      sync.Mutex
	starts  []map[string]any // bodies of POST /v1/runs
	asked   []string         // requests to the store
	runs    map[string]*standRun
	changed chan struct{} // closed and replaced whenever a run has sent something
}

// standRun is one run.
type standRun struct {
	server   *standIn
	id       string
	lines    []string // sent lines, in the server's own form
	kinds    []string
	decided  chan decided
	cancel   chan struct{}
	finished bool
	record   string   // the server's record of the run; "" if it has none
	thread   []string // messages that the run added to its thread
}

func stand(t *testing.T, s script) *standIn {
	t.Helper()
	server := &standIn{
		t: t, script: s, runs: map[string]*standRun{}, changed: make(chan struct{}),
		decisions: make(chan decided, 64), cancelled: make(chan string, 64), stop: make(chan struct{}),
	}
	h := httptest.NewServer(server)
	server.url = h.URL
	t.Cleanup(func() {
		close(server.stop)
		h.CloseClientConnections()
		h.Close()
		server.working.Wait()
	})
	return server
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	refuse := s.refuse
	s.mu.Unlock()
	if refuse != nil {
		refuse.ServeHTTP(w, r)
		return
	}
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.Method == http.MethodPost && r.URL.Path == "/v1/runs":
		s.start(w, r)
	case r.Method == http.MethodPost && len(parts) == 4:
		s.command(w, r, parts[2], parts[3])
	case r.Method == http.MethodGet && (len(parts) == 3 || parts[1] == "threads"):
		s.known(w, r, parts)
	case r.Method == http.MethodGet && !s.unwired && !s.older:
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.RequestURI()+" "+r.Header.Get("Last-Event-ID"))
		s.mu.Unlock()
		s.read(w, r, parts[2], len(parts) == 5)
	default:
		http.NotFound(w, r)
	}
}

// start starts a run, and relays its events until it ends or is suspended.
func (s *standIn) start(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if json.NewDecoder(r.Body).Decode(&body) != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.starts = append(s.starts, body)
	run := &standRun{server: s, id: "r" + strconv.Itoa(len(s.starts)), decided: make(chan decided, 16), cancel: make(chan struct{})}
	s.runs[run.id] = run
	s.mu.Unlock()
	s.working.Go(func() {
		s.script(run)
		s.mu.Lock()
		defer s.mu.Unlock()
		run.finished = true
		s.notify()
	})
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write([]byte(": heartbeat\n\n"))
	for i := 0; ; i++ {
		line, _, ok := run.next(r, i)
		if !ok {
			return
		}
		if s.breaks > 0 && i == s.breaks {
			panic(http.ErrAbortHandler)
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", line)
		w.(http.Flusher).Flush()
		if strings.Contains(line, `"run_finish"`) && (!s.older || !strings.Contains(line, `"suspended"`)) {
			return
		}
	}
}

// next waits for the run's i-th event.
func (r *standRun) next(req *http.Request, i int) (line, kind string, ok bool) {
	for {
		r.server.mu.Lock()
		changed := r.server.changed
		if i < len(r.lines) {
			defer r.server.mu.Unlock()
			return r.lines[i], r.kinds[i], true
		}
		over := r.finished
		r.server.mu.Unlock()
		if over {
			return "", "", false
		}
		select {
		case <-changed:
		case <-req.Context().Done():
			return "", "", false
		case <-r.server.stop:
			return "", "", false
		}
	}
}

// notify signals a change. The lock is held.
func (s *standIn) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// say makes the run send lines, with RUN replaced by its id.
func (r *standRun) say(lines ...string) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	for _, line := range lines {
		kind := "TextDeltaObserved"
		if strings.Contains(line, `"suspended"`) && strings.Contains(line, "tool_call_done") {
			kind = "ToolCallSuspended"
		}
		r.lines = append(r.lines, strings.ReplaceAll(line, "RUN", r.id))
		r.kinds = append(r.kinds, kind)
	}
	r.server.notify()
}

// wait waits for a decision. It returns false if the run is cancelled.
func (r *standRun) wait() (decided, bool) {
	select {
	case d := <-r.decided:
		return d, true
	case <-r.cancel:
	case <-r.server.stop:
	}
	return decided{}, false
}

// mend makes a stand-in work again that was set to refuse.
func (s *standIn) mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = nil
}

// bodies returns the bodies of the requests that started runs.
func (s *standIn) bodies() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.starts...)
}

// requests returns the requests to the store.
func (s *standIn) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// noDecision requires that the stand-in has received no further decision.
func (s *standIn) noDecision() {
	s.t.Helper()
	require.Empty(s.t, s.decisions)
}
