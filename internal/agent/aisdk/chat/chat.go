// Package chat is the conversation of a client of the AI SDK: its messages, as the AI SDK's
// own client builds them from a UI message stream.
package chat

import (
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Message is a UI message. Servers expect its members to be as they sent them.
type Message struct {
	ID       string          `json:"id"`
	Role     string          `json:"role"`
	Parts    []part          `json:"parts"`
	Metadata json.RawMessage `json:"metadata,omitempty"`

	saved json.RawMessage // what Encode returns, if the message is from an earlier session
	open  map[string]part // unfinished texts and reasonings, by kind and id
	size  int             // of the stream, in bytes
}

// A part of a message. Its values are JSON as the server sent it, or values of Go.
type part map[string]any

// IsUser implements [conversation.Message].
func (m *Message) IsUser() bool { return m.Role == "user" }

// Encode implements [conversation.Message].
func (m *Message) Encode(bool) json.RawMessage {
	if m.saved != nil || len(m.Parts) == 0 {
		return m.saved
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return nil // impossible: its values are strings, or were decoded from JSON
	}
	return rawjson.CleanValue(raw) // pieces of texts may end with half of a character
}

// Say adds the user's message to a conversation, and begins the agent's, which it returns.
func Say(l *conversation.Log[*Message], p *agent.Prompt) *Message {
	user := said(p.TurnID, "user", p.Text)
	for _, b := range p.Blocks {
		if b.Type == "image" || b.Type == "audio" {
			user.Parts = append(user.Parts, part{"type": "file", "mediaType": b.MIMEType, "url": "data:" + b.MIMEType + ";base64," + b.Data})
		}
	}
	answer := &Message{ID: "answer-" + p.TurnID, Role: "assistant", open: make(map[string]part)}
	l.All = append(l.All, user, answer)
	return answer
}

func said(id, role, text string) *Message {
	return &Message{ID: id, Role: role, Parts: []part{{"type": "text", "text": text}}}
}

// Recall returns the conversation of a session that continues.
func Recall(m agent.Memory) conversation.Log[*Message] { return conversation.Recall(m, saved, said) }

// saved returns a message of an earlier session. One without a role is not the user's.
func saved(raw json.RawMessage) (*Message, bool) {
	var head struct {
		Role string `json:"role"`
	}
	_ = exactjson.Unmarshal(raw, &head)
	return &Message{Role: head.Role, saved: raw}, true
}
