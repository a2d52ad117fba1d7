package chat

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// clientID identifies us to Ethos in messages and decisions.
const clientID = "turnwire"

// A Message is the input of the procedure that sends a prompt.
type Message struct {
	ClientID      string       `json:"clientId"`
	Text          string       `json:"text"`
	SessionID     string       `json:"sessionId,omitempty"`
	PersonalityID string       `json:"personalityId,omitempty"`
	Attachments   []Attachment `json:"attachments,omitempty"`
}

// An Attachment is a file attached to a message.
type Attachment struct {
	Type     string `json:"type"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	Name     string `json:"name,omitempty"`
}

// Message returns a prompt as a message.
func (c *Conversation) Message(p agent.Prompt) Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := Message{ClientID: clientID, Text: unsteered(p.Text), SessionID: c.id, PersonalityID: c.personality}
	for _, block := range p.Blocks {
		if block.Type == "image" && block.Data != "" {
			m.Attachments = append(m.Attachments, Attachment{"image", block.Data, block.MIMEType, block.Name})
		}
	}
	return m
}

// Reasons for denying calls, for the model and its log.
const (
	reasonUser      = "the user refused"
	reasonCancelled = "cancelled before a decision"
)

// Call returns the procedure that delivers an answer, and its input.
func Call(a requests.Answer) (procedure string, input map[string]string) {
	r := a.Confirmation
	switch {
	case a.Question && a.Response.Cancelled:
		return "clarify/respond", map[string]string{"requestId": a.ID, "answer": "", "source": "cancel"}
	case a.Question:
		return "clarify/respond", map[string]string{"requestId": a.ID, "answer": a.Response.Answer, "source": "user"}
	case r.Decision.Allows():
		return "tools/approve", map[string]string{"approvalId": a.ID, "clientId": clientID, "scope": scope(r)}
	}
	reason := reasonUser
	if r.Decision == agent.NotDecided {
		reason = reasonCancelled
		if r.Reason != "" {
			reason = r.Reason
		}
	}
	return "tools/deny", map[string]string{"approvalId": a.ID, "clientId": clientID, "reason": reason}
}

// scope returns what an approval applies to. Unless the user chose otherwise, it is a single
// call, or exactly the same arguments.
func scope(r agent.ConfirmationResponse) string {
	switch {
	case r.Decision == agent.AllowOnce:
		return wire.OptionOnce
	case r.OptionID == wire.OptionAnyArgs:
		return wire.OptionAnyArgs
	}
	return wire.OptionExactArgs
}

// Steering is the slash command in Ethos's own chat that gives advice to the
// running turn.
var Steering = agent.Command{
	Name: agent.SteerCommand, Hint: "what to do differently",
	Description: "Advise the running turn; Ethos reads the advice after the current tool",
}

// unsteered returns a prompt's text for Ethos. Like Ethos's own chat, it treats
// advice as a message if no turn is running.
func unsteered(text string) string {
	if advice, is := strings.CutPrefix(strings.TrimSpace(text), "/"+agent.SteerCommand+" "); is {
		return strings.TrimSpace(advice)
	}
	return text
}
