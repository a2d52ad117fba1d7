package acpmap

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// plan shows a plan as one of several to clients that support that. For other clients,
// all lists form one plan, and a plan that is not a list becomes a message.
func plan(s normalize.Step, e *agent.Plan, c Client) []v1.Update {
	switch {
	case c.Plans:
		return []v1.Update{&v1.PlanUpdate{Plan: planContent(e)}}
	case e.Markdown == "" && e.URI == "":
		return []v1.Update{entries(s.Entries)}
	case e.Markdown != "":
		return texts(v1.AgentMessage, "\n\n"+e.Markdown+"\n\n", s.MessageID)
	}
	return chunk(v1.AgentMessage, block(agent.Content{Type: "resource_link", URI: e.URI, Name: "Plan"}), s.MessageID)
}

// planRemoved shows the removal of a plan.
func planRemoved(s normalize.Step, e *agent.PlanRemoved, c Client) []v1.Update {
	if c.Plans {
		return []v1.Update{&v1.PlanRemoved{PlanID: e.PlanID}}
	}
	return []v1.Update{entries(s.Entries)}
}

func planContent(e *agent.Plan) v1.PlanContent {
	out := v1.PlanContent{Type: v1.PlanItems, PlanID: e.PlanID}
	switch {
	case e.Markdown != "":
		out.Type, out.Content = v1.PlanMarkdown, new(normalize.Short(e.Markdown))
	case e.URI != "":
		out.Type, out.URI = v1.PlanFile, e.URI
	default:
		out.Entries = entries(e.Entries).Entries
	}
	return out
}

func entries(list []agent.PlanEntry) *v1.Plan {
	out := &v1.Plan{Entries: make([]v1.PlanEntry, 0, len(list))}
	for _, entry := range list {
		status, priority := entry.Status, entry.Priority
		switch status {
		case "pending", "in_progress", "completed":
		case "cancelled": // v1 has no such status, and the entry needs no more work
			status = "completed"
		default:
			status = "pending"
		}
		switch priority {
		case "high", "medium", "low":
		default:
			priority = "medium"
		}
		out.Entries = append(out.Entries, v1.PlanEntry{
			Content: label(entry.Content), Status: v1.PlanEntryStatus(status), Priority: v1.PlanEntryPriority(priority),
		})
	}
	return out
}

// user shows a message from the user.
func user(s normalize.Step, e *agent.UserMessage) []v1.Update {
	out := texts(v1.UserMessage, e.Text, s.MessageID)
	for _, c := range e.Content {
		out = append(out, chunk(v1.UserMessage, block(c), s.MessageID)...)
	}
	return out
}

// texts returns text as chunks of a length that clients can read in one line.
func texts(kind v1.ChunkKind, text, messageID string) []v1.Update {
	var out []v1.Update
	for piece, rest := rawjson.Quote(text).Cut(normalize.MaxText); len(piece) > 0; piece, rest = rest.Cut(normalize.MaxText) {
		out = append(out, chunk(kind, &v1.TextBlock{Text: rawjson.Wrap(piece)}, messageID)...)
	}
	return out
}
