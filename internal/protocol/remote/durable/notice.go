package durable

import (
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// showsNotices reports whether a client shows notices, according to its initialize
// params.
func showsNotices(params []byte) bool {
	able, _, _ := rawmsg.Member(params, "clientCapabilities")
	session, _, _ := rawmsg.Member(able, "session")
	notices, _, _ := rawmsg.Member(session, "notices")
	return len(notices) > 0 && notices[0] == '{'
}

// notice returns an update that tells the user something: a notice, or a separate message
// for clients that don't show notices.
func notice(shown bool, severity, text string) []byte {
	if shown {
		return rawmsg.Encode(map[string]string{"sessionUpdate": "notice", "severity": severity, "title": text})
	}
	symbol := map[string]string{"error": "✖", "info": "ℹ"}[severity]
	if symbol == "" {
		symbol = "⚠"
	}
	return rawmsg.Encode(map[string]any{
		"sessionUpdate": "agent_message_chunk",
		"content":       map[string]string{"type": "text", "text": "\n\n> " + symbol + " " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n"},
	})
}
