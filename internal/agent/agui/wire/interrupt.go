package wire

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxInterrupts limits the interrupts of a run, because the user is asked about each.
const maxInterrupts = 64

// An Interrupt is a request to the user that ended a run. The next run answers it.
type Interrupt struct {
	thread.Pending
	// ExpiresAt is when it can't be answered any more, as the server wrote it; "" if never.
	ExpiresAt string
	// Requests are the ids of the events that ask the user. Most interrupts have one.
	Requests []string
	// Call is the id of the call that it is about, or "".
	Call string

	payload func([]conversation.Answer) agent.Raw
	events  []agent.Event
}

// Payload returns the payload that answers the interrupt. It returns nil if the user
// didn't answer all of it, which cancels the interrupt.
func (i *Interrupt) Payload(answers map[string]conversation.Answer) agent.Raw {
	var list []conversation.Answer
	for _, id := range i.Requests {
		a, ok := answers[id]
		if !ok || a.IsCancelled() {
			return nil
		}
		list = append(list, a)
	}
	return i.payload(list)
}

// Decide records which calls were not permitted. A server doesn't say that about their
// results.
func (s *State) Decide(i *Interrupt, answers map[string]conversation.Answer) {
	for _, e := range i.events {
		if c, ok := e.(*agent.ConfirmationRequested); ok && !answers[c.ConfirmationID].Allows() && len(s.refused) < maxCalls {
			if s.refused == nil {
				s.refused = make(map[string]bool)
			}
			s.refused[c.ToolCallID] = true
		}
	}
}

// Withdraw returns the events that withdraw the interrupt's requests.
func (i *Interrupt) Withdraw() []agent.Event {
	var events []agent.Event
	for _, e := range i.events {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			events = append(events, &agent.ConfirmationResolved{ConfirmationID: e.ConfirmationID, ToolCallID: e.ToolCallID, Decision: agent.NotDecided, Reason: "expired"})
		case *agent.QuestionAsked:
			events = append(events, &agent.QuestionAnswered{QuestionID: e.QuestionID, Cancelled: true})
		}
	}
	return events
}

// interrupt is an interrupt as the server describes it. LangGraph graphs choose the
// members' names themselves.
type interrupt struct {
	ID         string          `json:"id"`
	Reason     string          `json:"reason"`
	Message    string          `json:"message"`
	Question   string          `json:"question"`
	ToolCallID string          `json:"toolCallId"`
	Schema     json.RawMessage `json:"responseSchema"`
	ExpiresAt  string          `json:"expiresAt"`
	Metadata   struct {
		LangGraph struct {
			Raw json.RawMessage `json:"raw"`
		} `json:"langgraph"`
		Mastra suspension `json:"mastra"`
	} `json:"metadata"`
	reviews
	suspension

	CallID   string          `json:"tool_call_id"`
	Schema2  json.RawMessage `json:"response_schema"`
	Expires2 string          `json:"expires_at"`
}

// A suspension is a tool call of Mastra that waits for a value.
type suspension struct {
	RunID   string          `json:"runId"`
	Tool    string          `json:"toolName"`
	Resume  json.RawMessage `json:"resumeSchema"` // also as a string of JSON
	Payload struct {
		Message string `json:"message"`
	} `json:"suspendPayload"`
}

// reviews are the calls that LangChain's HumanInTheLoopMiddleware asks about.
type reviews struct {
	Actions []struct {
		Name        string          `json:"name"`
		Args        json.RawMessage `json:"args"`
		Arguments   json.RawMessage `json:"arguments"`
		Description string          `json:"description"`
	} `json:"action_requests"`
}

// interrupted records the interrupts of a run that has ended, and asks the user.
func (s *State) interrupted(l *dialect.Line, list []*Interrupt) {
	s.interrupts = list
	for _, i := range list {
		for _, e := range i.events {
			l.Emit(e)
		}
	}
}

// read decodes one interrupt. It reports false if there are too many.
func (s *State) read(raw agent.Raw) (*Interrupt, bool) {
	if s.count++; s.count > maxInterrupts {
		return nil, false
	}
	var w interrupt
	_ = exactjson.Unmarshal(raw, &w) // use the readable part
	if len(w.Actions) == 0 && len(w.Metadata.LangGraph.Raw) > 0 {
		_ = exactjson.Unmarshal(w.Metadata.LangGraph.Raw, &w.reviews)
	}
	i := &Interrupt{Pending: thread.Pending{ID: w.ID}, ExpiresAt: cmp.Or(w.ExpiresAt, w.Expires2)}
	if w.RunID == "" {
		w.suspension = w.Metadata.Mastra
	}
	call := cmp.Or(w.ToolCallID, w.CallID)
	i.Call = call
	if w.ID == "" && w.RunID != "" {
		i.ID = w.RunID + "::" + call // as Mastra expects it in a resume entry
	}
	text := cmp.Or(w.Message, w.Question, w.Payload.Message, w.Reason, string(raw))
	schema := parseSchema(first(w.Schema, w.Schema2, unquoted(w.Resume)))
	switch {
	case len(w.Actions) > 0:
		s.review(i, &w.reviews)
	case call != "" && schema.approves():
		i.permission(s.request(i.ID, 0), call, cmp.Or(s.names[call], w.Tool), nil, cmp.Or(w.Message, w.Payload.Message))
		i.payload = func(a []conversation.Answer) agent.Raw { return approved(a[0].Allows()) }
	default:
		q := &agent.QuestionAsked{QuestionID: s.request(i.ID, 0), Question: text, ToolCallID: call}
		i.payload = schema.fill(q)
		i.Requests, i.events = []string{q.QuestionID}, []agent.Event{q}
	}
	return i, true
}

// request returns an id for a request that is unique in the session.
func (s *State) request(interrupt string, part int) string {
	id := interrupt + "@" + s.run
	if part > 0 {
		id += "#" + strconv.Itoa(part)
	}
	return id
}

// first returns the first value that is present.
func first(values ...json.RawMessage) json.RawMessage {
	for _, v := range values {
		if len(v) > 0 && string(v) != "null" {
			return v
		}
	}
	return nil
}

// unquoted returns the JSON in a string, or v itself if it isn't a string.
func unquoted(v json.RawMessage) json.RawMessage {
	var text string
	if exactjson.Unmarshal(v, &text) == nil && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return v
}

func (i *Interrupt) permission(id, call, tool string, args agent.Raw, why string) {
	i.Requests = append(i.Requests, id)
	i.events = append(i.events, &agent.ConfirmationRequested{ConfirmationID: id, ToolCallID: call, ToolName: tool, Args: args, Reason: why})
}

func approved(yes bool) agent.Raw {
	return agent.Raw(`{"approved":` + strconv.FormatBool(yes) + `}`)
}

// review asks about each call that a HumanInTheLoopMiddleware has stopped. It doesn't
// name their ids: they are the calls of these names that have no result.
func (s *State) review(i *Interrupt, w *reviews) {
	taken := make(map[string]bool)
	for n, action := range w.Actions {
		call := s.request(i.ID, n+1)
		for _, id := range s.calls {
			if s.names[id] == action.Name && !taken[id] {
				call = id
				break
			}
		}
		taken[call] = true
		args := action.Args
		if args == nil {
			args = action.Arguments
		}
		i.permission(s.request(i.ID, n+1), call, action.Name, args, action.Description)
	}
	i.payload = func(answers []conversation.Answer) agent.Raw {
		decisions := make([]map[string]string, 0, len(answers))
		for _, a := range answers {
			kind := "reject"
			if a.Allows() {
				kind = "approve"
			}
			decisions = append(decisions, map[string]string{"type": kind})
		}
		raw, err := json.Marshal(map[string]any{"decisions": decisions})
		if err != nil {
			return nil
		}
		return raw
	}
	i.Refusal = i.payload(make([]conversation.Answer, len(w.Actions)))
}

// onInterrupt decodes the event with which LangGraph's adapters announce an interrupt.
// Its value is what the graph passed to interrupt(), often as a string of JSON.
func (s *State) onInterrupt(l *dialect.Line) {
	value := unquoted(l.Raw("value"))
	var members map[string]json.RawMessage
	if exactjson.Unmarshal(value, &members) != nil || members == nil {
		var text string
		if exactjson.Unmarshal(value, &text) != nil {
			text = l.Shown("value").String()
		}
		quoted, err := json.Marshal(text)
		if err != nil {
			return
		}
		members = map[string]json.RawMessage{"message": quoted}
	}
	if raw := l.Raw("rawEvent"); len(raw) > 0 && raw[0] == '{' {
		if id := l.Object("rawEvent").OptionalKey("id"); id != "" {
			members["id"] = json.RawMessage(strconv.Quote(id))
		}
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return
	}
	if i, ok := s.read(raw); ok {
		i.Legacy = members["runId"] == nil // Mastra knows resume entries
		s.legacy = append(s.legacy, i)
	}
}
