package events

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/internal/rawjson"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// showText appends one piece of text, or several pieces whose ends are in ends,
// to the stream. This is the hot path.
func (s *session) showText(kind v1.ChunkKind, messageID string, text agent.Text, ends []int) {
	if s.turn == nil { // the end of a turn that waited for a prompt
		s.update(&v1.MessageChunk{Kind: kind, Content: &v1.TextBlock{Text: text.Clone()}, MessageID: messageID})
		return
	}
	s.hints.quiet = false
	lane := 0
	if kind == v1.AgentThought {
		lane = 1
	} else if !s.turn.said {
		s.turn.said = strings.TrimSpace(text.String()) != ""
	}
	s.peers.sent(s.peers.view.Chunks(s.frames[lane].of(s.peers.id, kind, messageID), rawjson.Body(text), ends))
}

// maxQueuedUpdates bounds the updates that wait for a turn. More of them are
// never needed to end all tool calls.
const maxQueuedUpdates = 1 << 10

// update sends an update. It waits while the editor does not read. An update
// that belongs to a turn but comes outside of one is queued for the next turn,
// because editors treat it as a defect.
func (s *session) update(u v1.Update) { s.updateOf(addressed{s.peers.id, u}) }

// updateOf does that for an update of the session or of a sub-agent.
func (s *session) updateOf(a addressed) {
	if s.turn == nil && ofTurn(a.update) {
		if len(s.queuedUpdates) == maxQueuedUpdates {
			s.peers.log.Warn("dropped an update that waited for a turn")
			s.queuedUpdates = s.queuedUpdates[1:]
		}
		s.queuedUpdates = append(s.queuedUpdates, a)
		return
	}
	if s.turn != nil && mapv1.Tells(a.update) {
		s.turn.said, s.hints.quiet = true, false
	}
	s.send(a)
}

func (s *session) send(a addressed) {
	if s.opening {
		s.later(a)
		return
	}
	s.peers.sent(s.peers.view.Update(a.session, a.update, v1.Times{}))
}

// ofTurn reports whether an update belongs to a turn.
func ofTurn(u v1.Update) bool {
	switch u.(type) {
	case *v1.MessageChunk, *v1.ToolCall, *v1.ToolCallUpdate, *v1.Plan, *v1.PlanUpdate, *v1.PlanRemoved, *v1.SubagentUpdate, *v1.SessionMessage:
		return true
	}
	return false
}

// sendQueuedUpdates sends the updates that have waited for a turn.
func (s *session) sendQueuedUpdates() {
	updates := s.queuedUpdates
	s.queuedUpdates = nil
	for _, a := range updates {
		s.send(a)
	}
}

// maxDepth bounds the nesting of an event that is sent unchanged: strict
// readers refuse a line with more than 128 levels.
const maxDepth = 100

// showPrivate sends an event that has no counterpart in the protocol. Parts
// that are nested too deeply become text.
func (s *session) showPrivate(e agent.Event) {
	event := rawjson.Shallow(agent.AppendJSON(nil, e), maxDepth)
	if s.opening {
		s.postpone(func() { s.sendPrivate(event) })
		return
	}
	s.sendPrivate(event)
}

func (s *session) sendPrivate(event []byte) {
	line := append([]byte(nil), `{"jsonrpc":"2.0","method":"`+v1.MethodEvent+`","params":{"sessionId":`...)
	line = append(rawjson.AppendString(line, s.peers.id), `,"event":`...)
	line = append(append(line, event...), `}}`...)
	s.peers.sent(s.peers.view.Relay(core.Notification{Line: line, Session: s.peers.id}))
}
