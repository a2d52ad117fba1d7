// Package chat is the conversation of a client of the AI SDK: its messages, as the AI SDK's
// own client builds them from a UI message stream.
package chat

import (
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent"
)

// A Chat is a conversation. The zero value is an empty one.
type Chat struct {
	messages []json.RawMessage
	answer   *message // the agent's message of the running turn; nil between turns
}

// Ask adds the user's message, and begins the agent's.
func (c *Chat) Ask(p *agent.Prompt) {
	c.messages = append(c.messages, userMessage(p))
	c.answer = &message{id: "answer-" + p.TurnID}
}

// Add adds an element of the stream to the agent's message, and returns its type.
func (c *Chat) Add(line []byte) (kind string, err error) { return c.answer.add(line) }

// Asked returns the ids of the approvals that wait for the user.
func (c *Chat) Asked() []string { return c.answer.asked() }

// Decide answers the approvals. Only a decision that allows permits anything.
func (c *Chat) Decide(decisions map[string]agent.ConfirmationResponse) { c.answer.decide(decisions) }

// Messages returns the messages for the next request.
func (c *Chat) Messages() []json.RawMessage {
	if c.answer == nil || len(c.answer.parts) == 0 {
		return c.messages
	}
	return append(slices.Clip(c.messages), c.answer.encode())
}

// End ends the agent's message. It returns false if that was done before.
func (c *Chat) End() bool {
	if c.answer == nil {
		return false
	}
	c.answer.seal()
	c.messages, c.answer = c.Messages(), nil
	return true
}

// State returns the newest messages that fit, as the state of a session. The first one is
// the user's.
func (c *Chat) State() agent.Raw { return state(c.messages) }

// Recall returns the conversation of a session that continues. If its state is missing,
// its texts are left.
func Recall(m agent.Memory) *Chat { return &Chat{messages: recall(m)} }
