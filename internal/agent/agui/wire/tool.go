package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

func toolStart(s *State, l *dialect.Line) {
	if s.call = l.Key("toolCallId"); s.isOld(s.call) {
		return // the server repeats a call that has waited for an answer
	}
	s.called(s.call, l.Key("toolCallName"))
	l.Emit(&agent.ToolPending{ToolCallID: s.call, ToolName: l.Key("toolCallName"), ParentToolCallID: l.Key("subagentRunId")})
}

func toolArgs(s *State, l *dialect.Line) {
	if id := l.Key("toolCallId"); !s.isOld(id) {
		l.EmitArgs(agent.ToolArgsDelta{ToolCallID: id, Delta: l.Piece("delta")})
	}
}

// toolChunk starts a call if it names a new one, and emits a piece of its
// arguments.
func toolChunk(s *State, l *dialect.Line) {
	if id := l.Key("toolCallId"); id != "" && id != s.call {
		toolStart(s, l)
	}
	if delta := l.Piece("delta"); !delta.IsZero() && !s.isOld(s.call) {
		l.EmitArgs(agent.ToolArgsDelta{ToolCallID: s.call, Delta: delta})
	}
}

// toolEnd reports that the model has written the call, which starts to run unless it is
// left to the client.
func toolEnd(s *State, l *dialect.Line) {
	if id := l.Key("toolCallId"); !s.isOld(id) && !s.offered[s.names[id]] {
		l.EmitStart(agent.ToolStart{ToolCallID: id})
	}
}

// keep records the calls that the run leaves to the client, except those that an interrupt
// is about.
func (s *State) keep(list []*Interrupt) {
	asked := make(map[string]bool)
	for _, i := range list {
		asked[i.Call] = true
	}
	for _, id := range s.calls {
		if name, open := s.names[id]; open && s.offered[name] && !asked[id] && !s.refused[id] {
			s.left = append(s.left, Call{id, name})
		}
	}
}

// leave ends the calls that the run left without a result, except those that the client
// runs now. Most are calls of tools that the client doesn't have.
func (s *State) leave(l *dialect.Line) {
	kept := make(map[string]bool)
	for _, c := range s.left {
		kept[c.ID] = true
	}
	for _, id := range s.calls {
		if _, open := s.names[id]; open && !kept[id] {
			delete(s.names, id)
			end := &agent.ToolEnd{ToolCallID: id, Cancelled: s.refused[id]}
			if !end.Cancelled {
				end.Error = "no result: the server leaves this call to its client, or reports no results"
			}
			l.Emit(end)
		}
	}
}

// End records a call's result. A refused call has a result too, and only the driver knows
// that it was refused.
func (s *State) End(end *agent.ToolEnd) {
	if s.refused[end.ToolCallID] {
		end.OK, end.Cancelled = false, true
	}
	delete(s.names, end.ToolCallID)
	delete(s.before, end.ToolCallID)
}

// toolResult ends a call. AG-UI does not report whether it succeeded.
func toolResult(s *State, l *dialect.Line) {
	end := agent.ToolEnd{ToolCallID: l.Key("toolCallId"), OK: true}
	if s.settled[end.ToolCallID] {
		return
	}
	if _, known := s.names[end.ToolCallID]; !known && s.goesOn {
		return // it ends a call of a cancelled turn
	}
	s.End(&end)
	if content := l.Raw("content"); len(content) > 0 && content[0] == '[' {
		for part := range l.Objects("content") {
			end.Content = append(end.Content, contentOf(part))
		}
	} else {
		end.Result = l.Text("content")
	}
	l.EmitEnd(end)
}

// contentOf converts part of a result to a text, an image, audio, or a link to
// anything else.
func contentOf(part *dialect.Fields) agent.Content {
	source := part.Object("source")
	switch kind := part.Key("type"); {
	case kind == "text":
		return agent.Content{Type: "text", Text: part.String("text")}
	case (kind == "image" || kind == "audio") && source.Key("type") == "data":
		return agent.Content{Type: kind, Data: source.String("value"), MIMEType: source.String("mimeType")}
	case source.Key("type") == "url":
		return agent.Content{Type: "resource_link", URI: source.String("value"), Name: kind, MIMEType: source.String("mimeType")}
	default:
		return agent.Content{Type: "text", Text: "[" + kind + "]"}
	}
}

func subagentStarted(l *dialect.Line) agent.Event {
	id, parent := l.Key("subagentRunId"), l.Key("parentToolCallId", "parentSubagentRunId")
	return &agent.SubagentStart{ID: id, RunID: id, Name: l.String("name"), Task: l.String("description"), ParentToolCallID: parent}
}

func subagentFinished(l *dialect.Line) agent.Event {
	end := &agent.SubagentEnd{ID: l.Key("subagentRunId"), OK: true, Result: l.Shown("result").String()}
	if l.Object("outcome").Key("type") == "suspended" {
		end.OK, end.Error = false, "It waits for an answer."
	}
	return end
}
