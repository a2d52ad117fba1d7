// Package wire decodes the UI message stream of the AI SDK (npm package ai), version 1
// of its protocol, as versions 5 to 7 of the package send it.
//
// A stream that ends while a tool call waits for approval does not end the turn: the
// answer is part of the next request, whose stream continues the message. Data parts and
// metadata are telemetry.
package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Dialect is the AI SDK's dialect.
var Dialect = Table.Compile().Dialect()

// Table declares the elements of a stream.
var Table = dialect.Table[State]{
	Name: "aisdk",
	Forms: []dialect.Form[State]{{Type: "type", Kinds: []dialect.Kind[State]{
		{Name: "start"},
		{Name: "start-step", Event: func(*dialect.Line) agent.Event { return &agent.StepStart{} }},
		{Name: "finish-step", Event: func(*dialect.Line) agent.Event { return &agent.StepEnd{} }},
		{Name: "reset-step", Event: func(*dialect.Line) agent.Event { return &agent.StreamReset{} }},
		{Name: "finish", Decode: finish},
		{Name: "abort", Event: func(*dialect.Line) agent.Event { return &agent.Done{StopReason: agent.StopCancelled} }},
		{Name: "error", Event: func(l *dialect.Line) agent.Event { return &agent.Error{Error: l.String("errorText")} }},
		// These only bracket others.
		{Name: "text-start"}, {Name: "text-end"}, {Name: "reasoning-start"}, {Name: "reasoning-end"},
		{Name: "text-delta", Decode: func(_ *State, l *dialect.Line) {
			l.EmitText(agent.TextDelta{MessageID: l.Key("id"), Text: l.Piece("delta")})
		}},
		{Name: "reasoning-delta", Decode: func(_ *State, l *dialect.Line) {
			l.EmitThinking(agent.ThinkingDelta{MessageID: l.Key("id"), Thinking: l.Piece("delta")})
		}},
		{Name: "tool-input-start", Event: func(l *dialect.Line) agent.Event {
			return &agent.ToolPending{ToolCallID: l.Key("toolCallId"), ToolName: l.Key("toolName"), View: agent.View{Title: l.String("title")}}
		}},
		{Name: "tool-input-delta", Decode: func(_ *State, l *dialect.Line) {
			l.EmitArgs(agent.ToolArgsDelta{ToolCallID: l.Key("toolCallId"), Delta: l.Piece("inputTextDelta")})
		}},
		{Name: "tool-input-available", Event: inputAvailable},
		{Name: "tool-input-error", Decode: inputError},
		{Name: "tool-approval-request", Decode: approvalRequest, Refuse: refuse},
		{Name: "tool-approval-response", Decode: approvalResponse},
		{Name: "tool-output-available", Decode: outputAvailable},
		{Name: "tool-output-error", Decode: func(_ *State, l *dialect.Line) {
			l.EmitEnd(agent.ToolEnd{ToolCallID: l.Key("toolCallId"), Error: l.String("errorText")})
		}},
		{Name: "tool-output-denied", Decode: func(_ *State, l *dialect.Line) {
			l.EmitEnd(agent.ToolEnd{ToolCallID: l.Key("toolCallId"), Cancelled: true})
		}},
		{Name: "source-url", Event: func(l *dialect.Line) agent.Event {
			return &agent.Citation{URI: l.String("url"), Title: l.String("title")}
		}},
		{Name: "source-document", Event: func(l *dialect.Line) agent.Event {
			return &agent.Citation{URI: l.String("filename", "sourceId"), Title: l.String("title")}
		}},
		{Name: "file", Event: file},
		{Name: "reasoning-file"},
		{Name: "steering-message"},
		{Name: "message-metadata", Event: func(l *dialect.Line) agent.Event {
			return &agent.Telemetry{Name: l.Name, Data: l.Raw("messageMetadata")}
		}},
		{Name: "custom", Event: func(l *dialect.Line) agent.Event { return &agent.Telemetry{Name: l.String("kind"), Data: l.JSON()} }},
	}}},
	New: func() *State { return &State{asked: map[string]string{}} },
	Unknown: func(_ *State, l *dialect.Line) {
		if strings.HasPrefix(l.Name, "data-") {
			l.Emit(&agent.Telemetry{Name: l.Name, Data: l.Raw("data")})
			return
		}
		l.EmitUnknown()
	},
	Recognise: func(l *dialect.Line) bool { return strings.Contains(l.Name, "-") },
}

// maxAsked limits the approvals that a decoder remembers.
const maxAsked = 1 << 10

// State is the decoder's state for a turn.
type State struct {
	asked map[string]string // calls by the ids of their unanswered approvals
}

// reasons maps finish reasons to stop reasons.
var reasons = map[string]agent.StopReason{"length": agent.StopMaxTokens, "content-filter": agent.StopRefusal}

func finish(s *State, l *dialect.Line) {
	if metadata := l.Raw("messageMetadata"); metadata != nil {
		l.Emit(&agent.Telemetry{Name: "message-metadata", Data: metadata})
	}
	if len(s.asked) == 0 {
		l.Emit(&agent.Done{StopReason: reasons[l.Key("finishReason")]})
	}
	clear(s.asked) // the next stream continues with the answers
}

// file converts a file in the answer. The data of an image is in its URL.
func file(l *dialect.Line) agent.Event {
	url, kind := l.String("url"), l.String("mediaType")
	if head, data, ok := strings.Cut(url, ";base64,"); ok && strings.HasPrefix(head, "data:") && strings.HasPrefix(kind, "image/") {
		return &agent.ContentBlock{Content: agent.Content{Type: "image", Data: data, MIMEType: kind}}
	}
	return &agent.ContentBlock{Content: agent.Content{Type: "resource_link", URI: url, Name: "file", MIMEType: kind}}
}
