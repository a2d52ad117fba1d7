package acpmap

import (
	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// User returns the updates that show a prompt.
func User(blocks []agent.Content, messageID string) []v1.Update {
	out := make([]v1.Update, 0, len(blocks))
	for _, b := range blocks {
		out = append(out, chunk(v1.UserMessage, block(b), messageID)...)
	}
	return out
}
