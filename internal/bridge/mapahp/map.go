// Package mapahp maps ACP version 1 to the Agent Host Protocol. It is pure.
//
// A [Mapper] is told the updates of one session in their order, as a client of ACP
// gets them, and returns the actions of the session's chat. What one update says may
// be several actions, or none. Whoever applies them to an [ahp.Chat] has what the
// session has shown.
//
// What tools print is not returned at once: a client is sent all of it each time, so
// [Mapper.Flush] returns the newest, as often as its caller likes.
package mapahp

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A Mapper maps the updates of one session. The zero value is ready; it is told of
// a turn by [Mapper.Start].
type Mapper struct {
	// Keep keeps the text of a file and returns the URI at which it can be read; nil
	// where nobody reads.
	Keep func(path, text string) (uri string)

	turn  string
	part  string // the one that grows
	kind  string
	said  string // the message that it belongs to
	parts int
	calls map[string]*call
	order []*call
	plan  *call
}

// Start begins a turn: parts and tool calls are those of a turn.
func (m *Mapper) Start(turn string) {
	*m = Mapper{Keep: m.Keep, turn: turn, calls: make(map[string]*call)}
}

// Update maps an update that is part of an answer. What it says of the session, and of the user, is not.
func (m *Mapper) Update(u v1.Update) []ahp.Action {
	switch u := u.(type) {
	case *v1.MessageChunk:
		return m.chunk(u)
	case *v1.ToolCall:
		return m.tool(&u.ToolCallFields)
	case *v1.ToolCallUpdate:
		return m.tool(&u.ToolCallFields)
	case *v1.Plan:
		return m.planned(u.Entries)
	case *v1.UsageUpdate:
		return []ahp.Action{&ahp.UsageChanged{TurnID: m.turn, Usage: usage(u)}}
	case *v1.Notice:
		text := u.Title
		if u.Description != "" {
			text += "\n\n" + u.Description
		}
		return m.Notice(text)
	case *v1.CompactionUpdate:
		if u.Status == "completed" {
			return m.Notice("The conversation was made shorter for the agent.")
		}
	}
	return nil
}

// Notice shows a sentence that is not the agent's.
func (m *Mapper) Notice(text string) []ahp.Action {
	m.part = ""
	return []ahp.Action{&ahp.ResponsePart{TurnID: m.turn, Part: ahp.Part{Kind: ahp.PartNotification, Content: ahp.NewText(text)}}}
}

// chunk maps a piece of what the agent says or thinks.
func (m *Mapper) chunk(c *v1.MessageChunk) []ahp.Action {
	kind := ahp.PartMarkdown
	switch c.Kind {
	case v1.AgentThought:
		kind = ahp.PartReasoning
	case v1.AgentMessage:
	default:
		return nil
	}
	text := blockText(c.Content)
	if text == "" {
		return nil
	}
	var actions []ahp.Action
	if m.part == "" || m.kind != kind || c.MessageID != m.said {
		m.parts++
		m.part, m.kind, m.said = "part-"+strconv.Itoa(m.parts), kind, c.MessageID
		actions = append(actions, &ahp.ResponsePart{TurnID: m.turn, Part: ahp.Part{Kind: kind, ID: m.part, Content: ahp.NewText("")}})
	}
	if kind == ahp.PartReasoning {
		return append(actions, &ahp.Reasoning{TurnID: m.turn, PartID: m.part, Content: text})
	}
	return append(actions, &ahp.Delta{TurnID: m.turn, PartID: m.part, Content: text})
}

// usage has the window and the cost where clients that know them can find them: the
// protocol has no members for them.
func usage(u *v1.UsageUpdate) ahp.Usage {
	meta := map[string]any{}
	if u.Size > 0 {
		meta["contextWindow"] = u.Size
	}
	if u.Cost != nil {
		meta["cost"] = map[string]any{"amount": u.Cost.Amount, "currency": u.Cost.Currency}
	}
	return ahp.Usage{InputTokens: u.Used, Meta: meta}
}

// End ends the turn as its prompt was answered. duration is in milliseconds.
func (m *Mapper) End(reason v1.StopReason, duration int64) []ahp.Action {
	actions := m.close()
	switch reason {
	case v1.StopCancelled:
		return append(actions, &ahp.TurnWasCancelled{TurnID: m.turn, Duration: duration})
	case v1.StopMaxTokens:
		actions = append(actions, m.Notice("The answer has reached its limit of tokens.")...)
	case v1.StopMaxTurnRequests:
		actions = append(actions, m.Notice("The turn has reached its limit of requests.")...)
	case v1.StopRefusal:
		actions = append(actions, m.Notice("The agent refuses to go on.")...)
	}
	return append(actions, &ahp.TurnCompleted{TurnID: m.turn, Duration: duration})
}

// Fail ends the turn with an error.
func (m *Mapper) Fail(message string, duration int64) []ahp.Action {
	failure := ahp.Part{Kind: ahp.PartError, Error: &ahp.ErrorInfo{ErrorType: "agent", Message: message}}
	return append(m.close(), &ahp.TurnFailed{TurnID: m.turn, Duration: duration, Part: failure})
}

// close says what has been held back.
func (m *Mapper) close() []ahp.Action {
	actions := m.Flush()
	if m.plan != nil {
		actions = append(actions, m.plan.complete(m.turn, true))
		m.plan = nil
	}
	return actions
}
