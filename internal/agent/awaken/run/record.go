package run

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A Record is the server's state of a run, apart from its events
// (contract/storage.rs).
type Record struct {
	Status      string          `json:"status"` // created, running, waiting or done
	Termination json.RawMessage `json:"termination_reason"`
	Waiting     struct {
		Tickets []Ticket `json:"tickets"`
	} `json:"waiting"`
}

// A Ticket is a pending request of a run.
type Ticket struct {
	ID        string          `json:"ticket_id"`
	CallID    string          `json:"tool_call_id"`
	Tool      string          `json:"tool_name"`
	Arguments json.RawMessage `json:"arguments"`
	Reason    string          `json:"reason"`
	Mode      string          `json:"resume_mode"`
}

// A Message is a message of the thread.
type Message struct {
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

func (m *Message) text() string {
	var all strings.Builder
	for _, block := range m.Content {
		if block.Type == "text" {
			all.WriteString(block.Text)
		}
	}
	return all.String()
}

func (rec *Record) done() bool { return rec.Status == "done" }

// failed reports whether the run ended with an error.
func (rec *Record) failed() bool {
	var t struct {
		Type string `json:"type"`
	}
	return exactjson.Unmarshal(rec.Termination, &t) == nil && t.Type == "error"
}

// waits reports whether the run waits for a decision about a call.
func (rec *Record) waits(call string) bool {
	return slices.ContainsFunc(rec.Waiting.Tickets, func(t Ticket) bool { return t.CallID == call })
}

// IsNews reports whether a record contains something that the events did not
// report: the run has ended, or waits for something new.
func (r *Run) IsNews(rec *Record) bool {
	if rec.done() {
		return r.Now().Phase != wire.Ended
	}
	return slices.ContainsFunc(rec.Waiting.Tickets, r.isNew)
}

func (r *Run) isNew(t Ticket) bool {
	_, waits := r.Now().Find(t.CallID)
	return !waits && !r.Requests.Knows(requests.Request{ID: t.ID}) && !r.Requests.Knows(requests.Request{ID: t.ID, Question: true})
}
