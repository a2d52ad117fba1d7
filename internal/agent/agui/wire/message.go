package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// textStart starts a message. Messages of other roles repeat what was said to
// the agent.
func textStart(s *State, l *dialect.Line) {
	s.begin(l)
	if s.message != s.hidden {
		l.Emit(&agent.MessageStart{MessageID: s.message, Role: l.Key("role")})
	}
}

// begin makes the message named by a start, or by a chunk with an id, the
// current one.
func (s *State) begin(l *dialect.Line) {
	s.message = l.Key("messageId")
	if role := l.Key("role"); role != "" && role != "assistant" {
		s.hidden = s.message
	}
}

func textContent(s *State, l *dialect.Line) { s.say(l, l.Key("messageId")) }

func textChunk(s *State, l *dialect.Line) {
	if l.Has("messageId") {
		s.begin(l)
	}
	s.say(l, s.message)
}

// say emits a piece of a message.
func (s *State) say(l *dialect.Line, message string) {
	delta := l.Piece("delta")
	switch run := l.Key("subagentRunId"); {
	case delta.IsZero(), message != "" && message == s.hidden:
	case run != "":
		l.EmitOutput(agent.ToolOutput{ToolCallID: run, Text: delta})
	default:
		l.EmitText(agent.TextDelta{MessageID: message, Text: delta})
	}
}

func textEnd(s *State, l *dialect.Line) {
	if id := l.Key("messageId"); id != s.hidden && !l.Has("subagentRunId") {
		l.Emit(&agent.MessageEnd{MessageID: id})
	}
}

func reasoning(_ *State, l *dialect.Line) {
	if delta := l.Piece("delta"); !delta.IsZero() {
		l.EmitThinking(agent.ThinkingDelta{MessageID: l.Key("messageId"), Thinking: delta})
	}
}
