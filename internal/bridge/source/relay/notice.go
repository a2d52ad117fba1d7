package relay

import (
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A notice is something to tell the user.
type notice struct{ severity, text string }

// notice returns an update that warns the user.
func (c *client) notice(message string) []byte { return c.noticeOf("warning", message, "") }

// noticeOf returns an update that tells the user something. It is a notice, or a
// separate message for editors that don't show notices. description may be empty.
func (c *client) noticeOf(severity, message, description string) []byte {
	if c.notices {
		notice := map[string]any{"sessionUpdate": "notice", "severity": severity, "title": message}
		if description != "" {
			notice["description"] = description
		}
		return rawmsg.Encode(notice)
	}
	text := symbolOf(severity) + " " + message
	if description != "" {
		text += "\n" + description
	}
	return rawmsg.Encode(map[string]any{
		"sessionUpdate": kindMessage,
		"content":       map[string]any{"type": "text", "text": "\n\n> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n"},
	})
}

func symbolOf(severity string) string {
	switch severity {
	case "error":
		return "✖"
	case "info":
		return "ℹ"
	}
	return "⚠"
}
