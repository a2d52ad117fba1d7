package acpmap

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// Map returns the updates that show s. It returns none for the end of a turn (see
// [Stop]), for a question, and for events without a counterpart in ACP (see [Private]).
func Map(s normalize.Step, c Client) []v1.Update {
	switch e := s.Event.(type) {
	case *agent.TextDelta:
		return chunk(v1.AgentMessage, &v1.TextBlock{Text: e.Text}, e.MessageID)
	case *agent.ThinkingDelta:
		return chunk(v1.AgentThought, &v1.TextBlock{Text: e.Thinking}, e.MessageID)
	case *agent.ContentBlock:
		return chunk(v1.AgentMessage, block(e.Content), e.MessageID)
	case *agent.Citation:
		return chunk(v1.AgentMessage, &v1.TextBlock{Text: boundedText(citation(e))}, e.MessageID)
	case *agent.UserMessage:
		return user(s, e)
	case *agent.Plan:
		return plan(s, e, c)
	case *agent.PlanRemoved:
		return planRemoved(s, e, c)
	case *agent.SessionTitle:
		return []v1.Update{&v1.SessionInfoUpdate{Title: label(e.Title)}}
	case *agent.AvailableCommands:
		return commands(e)
	case *agent.ModeChanged, *agent.ModelChanged, *agent.ConfigOptions:
		return config(s, c)
	case *agent.Usage:
		return usage(s.Usage)
	case *agent.ContextCompacted:
		return compaction(e, c)
	}
	if n, ok := noticeOf(s.Event); ok {
		return notice(n, s.MessageID, c)
	}
	if s.Tool != nil {
		return tool(s, c)
	}
	return nil
}

// Private reports whether the event becomes a _turnwire/event notification. Such an
// event has no counterpart in ACP, but may be useful to tools that observe the agent.
func Private(s normalize.Step) bool {
	switch e := s.Event.(type) {
	case *agent.Introduction, *agent.RunStart, *agent.ContextMeta, *agent.StepStart, *agent.StepEnd,
		*agent.StateSnapshot, *agent.StateDelta, *agent.ActivitySnapshot, *agent.ActivityDelta,
		*agent.Telemetry, *agent.Unknown:
		return true
	case *agent.ToolProgress:
		return s.Tool == nil
	case *agent.Usage:
		return s.Usage == nil || s.Usage.Size == 0
	case *agent.ConfirmationResolved, *agent.QuestionAnswered:
		return true
	case *agent.ApprovalResponse:
		return e.Approved
	}
	return false
}

func chunk(kind v1.ChunkKind, b v1.Block, messageID string) []v1.Update {
	return []v1.Update{&v1.MessageChunk{Kind: kind, Content: b, MessageID: messageID}}
}

// boundedText returns text that the normalizer does not bound, cut to a length that
// clients can read in one line.
func boundedText(s string) v1.Text {
	return normalize.Bounded(v1.NewText(s), normalize.MaxText)
}

// block maps a content block. A block without a required part becomes text.
func block(c agent.Content) v1.Block {
	switch {
	case c.Type == "image" && c.Data != "" && c.MIMEType != "":
		return &v1.ImageBlock{Data: c.Data, MIMEType: c.MIMEType, URI: c.URI}
	case c.Type == "audio" && c.Data != "" && c.MIMEType != "":
		return &v1.AudioBlock{Data: c.Data, MIMEType: c.MIMEType}
	case c.Type == "resource_link" && c.URI != "":
		name := c.Name
		if name == "" {
			name = c.URI
		}
		return &v1.ResourceLink{Name: visible.Text(name), URI: c.URI, Title: visible.Text(c.Title), MIMEType: c.MIMEType, Size: c.Size}
	case c.Type == "resource" && c.Resource != nil && (c.Resource.Text != nil || c.Resource.Blob != nil):
		r := c.Resource
		return &v1.EmbeddedResource{Resource: v1.ResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: r.Text, Blob: r.Blob}}
	case c.Type == "text" || c.Text != "":
		return &v1.TextBlock{Text: normalize.Bounded(v1.NewText(c.Text), normalize.MaxResult)}
	}
	return &v1.TextBlock{Text: v1.NewText("[" + c.Type + " without content]")}
}

func commands(e *agent.AvailableCommands) []v1.Update {
	out := &v1.AvailableCommandsUpdate{AvailableCommands: make([]v1.AvailableCommand, 0, len(e.Commands))}
	for _, c := range e.Commands {
		ac := v1.AvailableCommand{Name: visible.Text(strings.TrimPrefix(c.Name, "/")), Description: label(c.Description)}
		if c.Hint != "" {
			ac.Input = &v1.CommandInput{Hint: visible.Text(c.Hint)}
		}
		out.AvailableCommands = append(out.AvailableCommands, ac)
	}
	return []v1.Update{out}
}

// usage returns an update only if the size of the context window is known: the schema
// requires it, and an invented size would be misleading.
func usage(u *normalize.Usage) []v1.Update {
	if u == nil || u.Size == 0 {
		return nil
	}
	out := &v1.UsageUpdate{Used: u.Used, Size: u.Size}
	if u.Cost > 0 {
		out.Cost = &v1.Cost{Amount: u.Cost, Currency: "USD"}
	}
	return []v1.Update{out}
}

func compaction(e *agent.ContextCompacted, c Client) []v1.Update {
	if !c.Compaction {
		return nil
	}
	out := &v1.CompactionUpdate{CompactionID: e.CompactionID, Status: visible.Text(e.Status), Error: visible.Text(e.Error)}
	if out.CompactionID == "" {
		out.CompactionID = "compaction"
	}
	if out.Status == "" {
		out.Status = "completed"
	}
	if e.Summary != "" {
		out.Summary = v1.Blocks{&v1.TextBlock{Text: boundedText(e.Summary)}}
	}
	return []v1.Update{out}
}
