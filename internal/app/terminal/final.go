package terminal

import (
	"strings"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A finalAnswer collects the agent's final answer: its messages after the last tool call.
// If the turn ends with a tool call, the answer is what came before that call.
type finalAnswer struct {
	chunks  []*v1.MessageChunk
	called  bool // a tool was called since the last chunk
	message string
}

func (f *finalAnswer) update(u v1.Update) {
	switch u := u.(type) {
	case *v1.ToolCall, *v1.ToolCallUpdate:
		f.called = true
	case *v1.MessageChunk:
		if u.Kind != v1.AgentMessage {
			return
		}
		same := u.MessageID != "" && u.MessageID == f.message
		if f.called && !same && !isBlank(u) {
			f.chunks = nil
		}
		if !isBlank(u) {
			f.called, f.message = false, u.MessageID
		}
		f.chunks = append(f.chunks, u)
	}
}

func isBlank(c *v1.MessageChunk) bool {
	text, ok := c.Content.(*v1.TextBlock)
	return ok && strings.TrimSpace(text.Text.String()) == ""
}

// text returns the text of the answer.
func (f *finalAnswer) text() string {
	var b strings.Builder
	for _, c := range f.chunks {
		if text, ok := c.Content.(*v1.TextBlock); ok {
			b.WriteString(text.Text.String())
		}
	}
	return b.String()
}
