package wire

import (
	"errors"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

var errNoID = errors.New("it has no call ID")

// textDelta emits a piece of the answer. A sub-agent's text becomes its call's
// output.
func (s *State) textDelta(l *dialect.Line) {
	text := l.Piece("delta")
	if text.IsZero() {
		return
	}
	if r, ok := s.subruns.of(l); ok {
		l.EmitOutput(agent.ToolOutput{ToolCallID: r.callID, Text: text})
		return
	}
	l.EmitText(agent.TextDelta{Text: text})
}

func reasoningDelta(_ *State, l *dialect.Line) {
	if text := l.Piece("delta"); !text.IsZero() {
		l.EmitThinking(agent.ThinkingDelta{Thinking: text})
	}
}

// argsDelta emits a piece of a call's arguments.
func argsDelta(_ *State, l *dialect.Line) {
	text := l.Piece("args_delta")
	if text.IsZero() {
		return
	}
	id := l.Key("id")
	if id == "" {
		l.Fault(errNoID)
	}
	l.EmitArgs(agent.ToolArgsDelta{ToolCallID: id, Delta: text})
}

// outputDelta emits output of a tool or sub-agent. It may be the first event
// about its call, because the model's pieces may have been lost.
func (s *State) outputDelta(l *dialect.Line) {
	text := l.Piece("delta")
	if text.IsZero() {
		return
	}
	id := l.Key("id")
	if id == "" {
		l.Fault(errNoID)
	}
	if s.calls.find(id) == nil {
		if name := l.Key("name"); l.OK() {
			s.announce(l, id, name, "")
		}
	}
	l.EmitOutput(agent.ToolOutput{ToolCallID: id, Text: text})
}

// announce emits the start of an unannounced call.
func (s *State) announce(l *dialect.Line, id, name, parent string) *call {
	k := s.calls.open(id, name)
	k.state = underway
	e := agent.ToolStart{ToolCallID: id, ToolName: k.name, ParentToolCallID: parent}
	fill(&e.View, k.name, nil)
	l.EmitStart(e)
	return k
}
