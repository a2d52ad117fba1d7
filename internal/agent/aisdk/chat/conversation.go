package chat

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// isAutomatic reports whether the server answers an approval itself.
func (p part) isAutomatic() bool {
	value, _ := p["isAutomatic"].(json.RawMessage)
	return string(value) == "true"
}

// encode returns the message as the server wants it.
func (m *message) encode() json.RawMessage { return encode(m.id, "assistant", m.parts, m.metadata) }

func encode(id, role string, parts []part, metadata json.RawMessage) json.RawMessage {
	text, err := json.Marshal(part{"id": id, "role": role, "parts": parts}.with("metadata", metadata))
	if err != nil {
		panic(err) // all values are strings, or were decoded from JSON
	}
	return text
}

// userMessage converts a prompt. Images and audio are in data URLs.
func userMessage(p *agent.Prompt) json.RawMessage {
	parts := []part{{"type": "text", "text": p.Text}}
	for _, b := range p.Blocks {
		if b.Type == "image" || b.Type == "audio" {
			parts = append(parts, part{"type": "file", "mediaType": b.MIMEType, "url": "data:" + b.MIMEType + ";base64," + b.Data})
		}
	}
	return encode(p.TurnID, "user", parts, nil)
}

// saved is the session's state.
type saved struct {
	Messages []json.RawMessage `json:"messages"`
}

// state encodes the newest messages that fit.
func state(messages []json.RawMessage) agent.Raw {
	const room = agent.MaxState - 100
	size, from := 0, len(messages)
	for i, m := range slices.Backward(messages) {
		if size += len(m) + 1; size > room {
			break
		}
		if roleOf(m) == "user" {
			from = i
		}
	}
	text, err := json.Marshal(saved{append([]json.RawMessage{}, messages[from:]...)})
	if err != nil {
		panic(err) // they were encoded before
	}
	return text
}

func roleOf(m json.RawMessage) string {
	var role struct {
		Role string `json:"role"`
	}
	_ = exactjson.Unmarshal(m, &role) // a message without a role is no user's
	return role.Role
}

// recall decodes a state.
func recall(m agent.Memory) []json.RawMessage {
	var s saved
	if exactjson.Unmarshal(m.State, &s) == nil && len(s.Messages) > 0 {
		return s.Messages
	}
	for i, message := range m.History {
		role := "user"
		if message.Role == agent.RoleAgent {
			role = "assistant"
		}
		s.Messages = append(s.Messages, encode("history-"+strconv.Itoa(i), role, []part{{"type": "text", "text": message.Text}}, nil))
	}
	return s.Messages
}
