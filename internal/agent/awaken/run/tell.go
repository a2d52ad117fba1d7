package run

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Tell yields what a record and the thread's messages of the run contain beyond the events,
// as lines that the server might have sent. It yields nothing twice. Each line must be
// decoded before the next, which depends on it.
func (r *Run) Tell(rec *Record, thread []Message) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		t := teller{Run: r, record: rec, yield: yield}
		t.thread(thread)
		t.status()
	}
}

// Processed returns how many messages were told.
func (r *Run) Processed() int { return len(r.processed) }

// A teller emits the events for one record.
type teller struct {
	*Run
	record  *Record
	yield   func(line []byte) bool
	stopped bool
}

type event map[string]any

func (t *teller) emit(e event) {
	if line, err := json.Marshal(e); err == nil && !t.stopped { // it never fails: all values were read as JSON
		t.stopped = !t.yield(line)
	}
}

func (t *teller) thread(list []Message) {
	last := make(map[string]int) // a call's result replaces its placeholder
	for i, m := range list {
		if m.Role == "tool" && !t.standsIn(&m) {
			last[m.ToolCallID] = i
		}
	}
	if t.record.done() && !t.record.failed() {
		t.refused(last)
	}
	for i, m := range list {
		if t.processed[m.ID] {
			continue
		}
		t.processed[m.ID] = true
		switch {
		case m.Role == "assistant":
			t.answer(&m)
		case m.Role == "tool" && !t.record.waits(m.ToolCallID) && !t.State.HasEnded(m.ToolCallID):
			if at, ok := last[m.ToolCallID]; ok && at == i {
				t.result(&m)
			}
		}
		if t.stopped {
			return
		}
	}
}

// awaitsSuffix ends the placeholder for the result of a waiting call. The
// placeholder remains if the run fails before there is a result.
const awaitsSuffix = " suspended: awaiting decision"

func (t *teller) standsIn(m *Message) bool {
	_, waits := t.Now().Find(m.ToolCallID)
	return waits && strings.HasSuffix(m.text(), awaitsSuffix)
}

// refused reports refused calls, which have no result.
func (t *teller) refused(results map[string]int) {
	for _, s := range t.Now().Waiting {
		if _, ok := results[s.CallID]; !ok {
			t.emit(event{"event_type": "tool_call_resumed", "target_id": s.ID, "result": map[string]any{"approved": false}})
		}
	}
}

// answer reports the part of an answer that was not streamed.
func (t *teller) answer(m *Message) {
	if rest := t.State.Unsaid(m.text()); rest != "" {
		t.emit(event{"event_type": "text_delta", "delta": rest})
	}
	for _, c := range m.ToolCalls {
		if !t.State.Knows(c.ID) {
			t.emit(event{"event_type": "tool_call_ready", "id": c.ID, "name": c.Name, "arguments": c.Arguments})
		}
	}
}

// failedPrefix begins the results of failed calls, which nothing else marks there
// (loop_runner).
const failedPrefix = "Execution failed: "

func (t *teller) result(m *Message) {
	text := m.text()
	result := map[string]any{"status": "success", "data": text}
	outcome := "succeeded"
	var value any
	switch {
	case strings.HasPrefix(text, failedPrefix):
		result, outcome = map[string]any{"status": "error", "message": text}, "failed"
	case exactjson.Unmarshal([]byte(text), &value) == nil:
		result["data"] = json.RawMessage(text)
	}
	t.emit(event{"event_type": "tool_call_done", "id": m.ToolCallID, "result": result, "outcome": outcome})
}

// status reports that the run has ended or waits for something new.
func (t *teller) status() {
	now := t.Now()
	end := event{"event_type": "run_finish", "run_id": now.ID, "thread_id": now.Thread}
	switch {
	case t.record.done() && now.Phase != wire.Ended:
		end["termination"] = t.record.Termination
		if len(t.record.Termination) == 0 {
			end["termination"] = map[string]any{"type": "natural_end"}
		}
		t.emit(end)
	case slices.ContainsFunc(t.record.Waiting.Tickets, t.isNew):
		for _, ticket := range t.record.Waiting.Tickets {
			if t.isNew(ticket) {
				t.suspension(ticket)
			}
		}
		end["termination"] = map[string]any{"type": "suspended"}
		t.emit(end)
	}
}

func (t *teller) suspension(s Ticket) {
	t.emit(event{
		"event_type": "tool_call_done", "id": s.CallID, "outcome": "suspended",
		"result": map[string]any{
			"tool_name": s.Tool, "status": "pending",
			"suspension": map[string]any{
				"suspension":  map[string]any{"id": s.ID, "action": s.Reason, "parameters": s.Arguments},
				"pending":     map[string]any{"id": s.ID, "name": s.Tool, "arguments": s.Arguments},
				"resume_mode": s.Mode,
			},
		},
	})
}
