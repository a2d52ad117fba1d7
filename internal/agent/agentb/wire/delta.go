package wire

import (
	"fmt"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// delta decodes thread.message.delta: a piece of text, tool calls, or both.
func (s *State) delta(l *dialect.Line) {
	delta := l.Object("delta")
	text := delta.Piece("contentChunk")
	var list []Call
	if calls := delta.Raw("toolCallsChunk"); calls != nil {
		if err := exactjson.Unmarshal(calls, &list); err != nil {
			l.Fault(fmt.Errorf("toolCallsChunk: %w", err))
			return
		}
	}
	if !text.IsZero() && !l.EmitText(agent.TextDelta{MessageID: s.messages.streams(l.OptionalKey("messageId")), Text: text}) {
		return
	}
	s.callPieces(list, l)
}
