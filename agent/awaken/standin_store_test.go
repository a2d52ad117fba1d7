package awaken_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// read answers from the event store: a page of what has been, or a stream of
// what comes.
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
		_, _ = fmt.Fprintf(w, "id: cur-%d\ndata: %s\n\n", i+1, fact(run.id, i, kind, line))
		w.(http.Flusher).Flush()
		if kind == "ToolCallSuspended" { // the store's second fact
			_, _ = fmt.Fprintf(w, "id: cur-%d\ndata: %s\n\n", i+1, fact(run.id, i, "ToolPermissionRequested", line))
			w.(http.Flusher).Flush()
		}
	}
}

// page gives two facts at once, so that there is something to page through.
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

// fact is an event as the store keeps it: the members of its payload are in
// another order.
func fact(run string, i int, kind, line string) string {
	var payload map[string]any
	_ = json.Unmarshal([]byte(line), &payload)
	sorted, _ := json.Marshal(payload)
	return fmt.Sprintf(`{"event_id":"ev-%d","scopes":[{"scope_type":"run","run_id":%q}],"cursors_by_scope":[`+
		`{"scope":{"scope_type":"thread","thread_id":"th"},"cursor":"t-%d"},{"scope":{"scope_type":"run","run_id":%q},"cursor":"cur-%d"}],`+
		`"event_kind":%q,"payload":%s,"thread_id":"th","run_id":%q,"origin":"runtime","visibility":"public","schema_version":1,"created_at":1}`,
		i, run, i, run, i+1, kind, sorted, run)
}

// storeFails is a stream of the event store that fails at once.
func storeFails(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("event: error\ndata: {\"error\":\"the disk is full\"}\n\n"))
}
