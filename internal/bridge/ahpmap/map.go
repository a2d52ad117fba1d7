// Package ahpmap maps ACP version 1 to the Agent Host Protocol. It does no I/O itself.
//
// A [Mapper] receives one session's updates in order, as an ACP client does, and
// returns the actions of the session's chat. An update may result in several actions or
// none. Applying them to an [ahp.Chat] yields everything that the session has shown.
//
// Tool output is not returned at once, because each action repeats all of it.
// [Mapper.Flush] returns the latest output, as often as its caller likes.
package ahpmap

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A Mapper maps the updates of one session. The zero value is ready to use. Call
// [Mapper.Start] at the start of each turn.
type Mapper struct {
	// Keep stores the text of a file and returns a URI for reading it. It may be nil.
	Keep func(path, text string) (uri string)

	turn      string
	part      string // the id of the part that grows
	kind      string
	messageID string // the message id that it belongs to
	parts     int
	calls     map[string]*call
	open      []*call // in order; some may have ended
	plan      *call
}

// Start starts a turn, and drops the parts and tool calls of the previous one.
func (m *Mapper) Start(turn string) {
	*m = Mapper{Keep: m.Keep, turn: turn, calls: make(map[string]*call)}
}

// Update maps an update that is part of an answer. It ignores updates about the session
// and user messages.
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
			return m.Notice("The conversation was compacted.")
		}
	}
	return nil
}

// Notice shows a message that is not the agent's.
func (m *Mapper) Notice(text string) []ahp.Action {
	m.part = ""
	return []ahp.Action{&ahp.ResponsePart{TurnID: m.turn, Part: ahp.Part{Kind: ahp.PartNotification, Content: ahp.NewText(text)}}}
}

// chunk maps a piece of the agent's message or thoughts.
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
	if text.IsZero() {
		return nil
	}
	var actions []ahp.Action
	if m.part == "" || m.kind != kind || c.MessageID != m.messageID {
		m.parts++
		m.part, m.kind, m.messageID = "part-"+strconv.Itoa(m.parts), kind, c.MessageID
		actions = append(actions, &ahp.ResponsePart{TurnID: m.turn, Part: ahp.Part{Kind: kind, ID: m.part, Content: ahp.NewText("")}})
	}
	if kind == ahp.PartReasoning {
		return append(actions, &ahp.Reasoning{TurnID: m.turn, PartID: m.part, Content: text})
	}
	return append(actions, &ahp.Delta{TurnID: m.turn, PartID: m.part, Content: text})
}

// usage puts the context window and the cost into _meta, because AHP has no members for
// them.
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

// End ends the turn with the prompt's stop reason. duration is in milliseconds.
func (m *Mapper) End(reason v1.StopReason, duration int64) []ahp.Action {
	actions := m.close()
	switch reason {
	case v1.StopCancelled:
		return append(actions, &ahp.TurnWasCancelled{TurnID: m.turn, Duration: duration})
	case v1.StopMaxTokens:
		actions = append(actions, m.Notice("The answer reached its token limit.")...)
	case v1.StopMaxTurnRequests:
		actions = append(actions, m.Notice("The turn reached its request limit.")...)
	case v1.StopRefusal:
		actions = append(actions, m.Notice("The agent refuses to continue.")...)
	}
	return append(actions, &ahp.TurnCompleted{TurnID: m.turn, Duration: duration})
}

// Fail ends the turn with an error. duration is in milliseconds.
func (m *Mapper) Fail(message string, duration int64) []ahp.Action {
	failure := ahp.Part{Kind: ahp.PartError, Error: &ahp.ErrorInfo{ErrorType: "agent", Message: message}}
	return append(m.close(), &ahp.TurnFailed{TurnID: m.turn, Duration: duration, Part: failure})
}

// close returns the actions that were held back.
func (m *Mapper) close() []ahp.Action {
	actions := m.Flush()
	if m.plan != nil {
		actions = append(actions, m.plan.complete(m.turn, true))
		m.plan = nil
	}
	return actions
}
