package awaken_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// read serves the event store: a page of past events, or a stream of new ones.
func (s *standIn) read(w http.ResponseWriter, r *http.Request, id string, stream bool) {
	s.mu.Lock()
	run, expired := s.runs[id], s.expired
	s.expired = s.expired && !stream
	s.mu.Unlock()
	if stream && expired {
		http.Error(w, `{"error":"cursor expired"}`, http.StatusGone)
		return
	}
	if stream && s.broken {
		storeFails(w)
		return
	}
	cursor := r.Header.Get("Last-Event-ID")
	if !stream {
		cursor = r.URL.Query().Get("cursor")
	}
	from := 0
	if cursor != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(cursor, "cur-"))
		if err != nil {
			http.Error(w, "bad cursor", http.StatusBadRequest)
			return
		}
		from = n
	}
	if !stream {
		s.page(w, run, from)
		return
	}
	s.mu.Lock()
	if cursor == "" {
		from = len(run.lines)
	}
	s.mu.Unlock()
	if s.held != nil {
		select {
		case <-s.held:
		case <-s.stop:
			return
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	for i := from; s.drops == 0 || i < from+s.drops; i++ {
		line, kind, ok := run.next(r, i)
		if !ok {
			return
		}
		if s.forgets != "" && strings.Contains(line, s.forgets) {
			select {
			case <-r.Context().Done():
			case <-s.stop:
			}
			return
		}
		_, _ = fmt.Fprintf(w, "id: cur-%d\ndata: %s\n\n", i+1, fact(run.id, i, kind, line))
		w.(http.Flusher).Flush()
		if kind == "ToolCallSuspended" { // the store's second fact
			_, _ = fmt.Fprintf(w, "id: cur-%d\ndata: %s\n\n", i+1, fact(run.id, i, "ToolPermissionRequested", line))
			w.(http.Flusher).Flush()
		}
	}
}

// is sets the record of the run, and adds messages to its thread.
func (r *standRun) is(record string, messages ...string) {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.record, r.thread = record, append(r.thread, messages...)
}

// known serves the record of a run, or one message of its thread with the
// cursor of the next.
func (s *standIn) known(w http.ResponseWriter, r *http.Request, parts []string) {
	id := r.URL.Query().Get("runId")
	if parts[1] == "runs" {
		id = parts[2]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	run := s.runs[id]
	switch {
	case run == nil || run.record == "":
		http.NotFound(w, r)
		return
	case parts[1] == "runs":
		_, _ = w.Write([]byte(run.record))
		return
	}
	i, _ := strconv.Atoi(r.URL.Query().Get("cursor"))
	answer := map[string]any{"messages": []json.RawMessage{}, "has_more": i+1 < len(run.thread), "next_cursor": strconv.Itoa(i + 1)}
	if i < len(run.thread) {
		answer["messages"] = []json.RawMessage{json.RawMessage(run.thread[i])}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// page returns two facts at a time, so that the client has to page.
func (s *standIn) page(w http.ResponseWriter, run *standRun, from int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := min(from+2, len(run.lines))
	items := []json.RawMessage{}
	for i := from; i < to; i++ {
		items = append(items, json.RawMessage(fact(run.id, i, run.kinds[i], run.lines[i])))
	}
	answer := map[string]any{"items": items, "has_more": to < len(run.lines), "next_cursor": nil}
	if to < len(run.lines) {
		answer["next_cursor"] = "cur-" + strconv.Itoa(to)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// fact returns an event in the store's format, with the members of its payload
// in another order.
func fact(run string, i int, kind, line string) string {
	var payload map[string]any
	_ = json.Unmarshal([]byte(line), &payload)
	sorted, _ := json.Marshal(payload)
	return fmt.Sprintf(`{"event_id":"ev-%d","scopes":[{"scope_type":"run","run_id":%q}],"cursors_by_scope":[`+
		`{"scope":{"scope_type":"thread","thread_id":"th"},"cursor":"t-%d"},{"scope":{"scope_type":"run","run_id":%q},"cursor":"cur-%d"}],`+
		`"event_kind":%q,"payload":%s,"thread_id":"th","run_id":%q,"origin":"runtime","visibility":"public","schema_version":1,"created_at":1}`,
		i, run, i, run, i+1, kind, sorted, run)
}

// storeFails serves a stream of the event store that fails at once.
func storeFails(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("event: error\ndata: {\"error\":\"the disk is full\"}\n\n"))
}
