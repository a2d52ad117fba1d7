package awaken

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A record is the server's state of a run, apart from its events
// (contract/storage.rs).
type record struct {
	Status      string          `json:"status"` // created, running, waiting or done
	Termination json.RawMessage `json:"termination_reason"`
	Waiting     struct {
		Tickets []ticket `json:"tickets"`
	} `json:"waiting"`
}

// failed reports whether the run ended with an error.
func (r *record) failed() bool {
	var t struct {
		Type string `json:"type"`
	}
	return exactjson.Unmarshal(r.Termination, &t) == nil && t.Type == "error"
}

// A ticket is a pending request of a run.
type ticket struct {
	ID        string          `json:"ticket_id"`
	CallID    string          `json:"tool_call_id"`
	Tool      string          `json:"tool_name"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    string          `json:"reason"`
	Mode      string          `json:"resume_mode"`
}

// A message is a message of the thread.
type message struct {
	ID      string `json:"id"`
	Role    string `json:"role"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"tool_calls"`
}

func (m *message) text() string {
	var all strings.Builder
	for _, block := range m.Content {
		if block.Type == "text" {
			all.WriteString(block.Text)
		}
	}
	return all.String()
}

// record fetches the run's record.
func (x *exchange) record(ctx context.Context) (r record, err error) {
	id := x.currentRun().ID
	err = x.backend.client.Call(ctx, http.MethodGet, "/v1/runs/"+url.PathEscape(id), nil, &r)
	if err == nil && r.Status == "" {
		err = errNoStatus
	}
	return r, err
}

var errNoStatus = errors.New("the server does not report the run's progress")

// messages fetches the messages that the run added to its thread.
func (x *exchange) messages(ctx context.Context) (all []message, err error) {
	run := x.currentRun()
	path := "/v1/threads/" + url.PathEscape(run.Thread) + "/messages?limit=200&runId=" + url.QueryEscape(run.ID)
	for cursor := ""; ; {
		at := path
		if cursor != "" {
			at += "&cursor=" + url.QueryEscape(cursor)
		}
		var page struct {
			Messages []message `json:"messages"`
			Next     string    `json:"next_cursor"`
			More     bool      `json:"has_more"`
		}
		if err := x.backend.client.Call(ctx, http.MethodGet, at, nil, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Messages...)
		if !page.More || page.Next == "" || page.Next == cursor {
			return all, nil
		}
		cursor = page.Next
	}
}

// isNews reports whether a record contains something that the events did not
// report: the run has ended, or waits for something new.
func (x *exchange) isNews(r record) bool {
	if r.Status == "done" {
		return x.currentRun().Phase != wire.Ended
	}
	return slices.ContainsFunc(r.Waiting.Tickets, x.isNew)
}

func (x *exchange) isNew(t ticket) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, decided := x.decided[t.ID]
	known := slices.ContainsFunc(x.run.Waiting, func(s wire.Suspension) bool { return s.ID == t.ID || s.CallID == t.CallID })
	return !known && !decided
}

// tell emits what the record and the thread contain beyond the events. It emits
// nothing twice.
func (x *exchange) tell(ctx context.Context, r record) error {
	list, err := x.messages(ctx)
	if err != nil {
		return err
	}
	waits := func(call string) bool {
		return slices.ContainsFunc(r.Waiting.Tickets, func(t ticket) bool { return t.CallID == call })
	}
	last := make(map[string]int) // a call's result replaces its placeholder
	for i, m := range list {
		if m.Role == "tool" && !x.standsIn(&m) {
			last[m.ToolCallID] = i
		}
	}
	if r.Status == "done" && !r.failed() {
		x.tellRefused(ctx, func(call string) bool { _, ok := last[call]; return ok })
	}
	for i, m := range list {
		if x.processed[m.ID] {
			continue
		}
		x.processed[m.ID] = true
		switch {
		case m.Role == "assistant":
			x.tellAnswer(ctx, &m)
		case m.Role == "tool" && !waits(m.ToolCallID) && !x.state.HasEnded(m.ToolCallID):
			if at, ok := last[m.ToolCallID]; ok && at == i {
				x.tellResult(ctx, &m)
			}
		}
		if x.done {
			return nil
		}
	}
	x.tellStatus(ctx, r)
	return nil
}

// tellAnswer emits the part of an answer that was not streamed.
func (x *exchange) tellAnswer(ctx context.Context, m *message) {
	if rest := x.state.Unsaid(m.text()); rest != "" {
		x.line(ctx, map[string]any{"event_type": "text_delta", "delta": rest})
	}
	for _, c := range m.ToolCalls {
		if !x.state.Knows(c.ID) {
			x.line(ctx, map[string]any{"event_type": "tool_call_ready", "id": c.ID, "name": c.Name, "arguments": c.Arguments})
		}
	}
}

// awaitsSuffix ends the placeholder for the result of a waiting call. The
// placeholder remains if the run fails before there is a result.
const awaitsSuffix = " suspended: awaiting decision"

func (x *exchange) standsIn(m *message) bool {
	_, waits := x.currentRun().Find(m.ToolCallID)
	return waits && strings.HasSuffix(m.text(), awaitsSuffix)
}

// failedPrefix begins the results of failed calls, which nothing else marks there
// (loop_runner).
const failedPrefix = "Execution failed: "

func (x *exchange) tellResult(ctx context.Context, m *message) {
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
	x.line(ctx, map[string]any{"event_type": "tool_call_done", "id": m.ToolCallID, "result": result, "outcome": outcome})
}

// tellRefused reports refused calls, which have no result.
func (x *exchange) tellRefused(ctx context.Context, hasResult func(call string) bool) {
	for _, s := range x.currentRun().Waiting {
		if !hasResult(s.CallID) {
			x.line(ctx, map[string]any{"event_type": "tool_call_resumed", "target_id": s.ID, "result": map[string]any{"approved": false}})
		}
	}
}

func (x *exchange) tellStatus(ctx context.Context, r record) {
	run := x.currentRun()
	end := map[string]any{"event_type": "run_finish", "run_id": run.ID, "thread_id": run.Thread}
	switch {
	case r.Status == "done" && run.Phase != wire.Ended:
		end["termination"] = r.Termination
		if len(r.Termination) == 0 {
			end["termination"] = map[string]any{"type": "natural_end"}
		}
		x.line(ctx, end)
	case slices.ContainsFunc(r.Waiting.Tickets, x.isNew):
		for _, t := range r.Waiting.Tickets {
			if x.isNew(t) {
				x.tellTicket(ctx, t)
			}
		}
		end["termination"] = map[string]any{"type": "suspended"}
		x.line(ctx, end)
	}
}

func (x *exchange) tellTicket(ctx context.Context, t ticket) {
	x.line(ctx, map[string]any{
		"event_type": "tool_call_done", "id": t.CallID, "outcome": "suspended",
		"result": map[string]any{
			"tool_name": t.Tool, "status": "pending",
			"suspension": map[string]any{
				"suspension":  map[string]any{"id": t.ID, "action": t.Reason, "parameters": t.Arguments},
				"pending":     map[string]any{"id": t.ID, "name": t.Tool, "arguments": t.Arguments},
				"resume_mode": t.Mode,
			},
		},
	})
}

// line handles an event as if the server had sent it.
func (x *exchange) line(ctx context.Context, event map[string]any) {
	if x.done {
		return
	}
	text, err := json.Marshal(event)
	if err != nil { // impossible: strings and values that were read as JSON
		x.backend.log.Warn("an event could not be shown", "error", err)
		return
	}
	x.handle(ctx, text)
}
