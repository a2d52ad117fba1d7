package quirks

import (
	"cmp"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/stacktrace"
)

// authRequired is ACP's error code that asks for a login.
const authRequired = "-32000"

// codeFailed is the code, for programs, of an error without its own.
const codeFailed = "agent_failed"

// Failure returns a response's error with its cause in the message, and without stack
// traces. Its other members are unchanged.
func (t *Table) Failure(raw []byte) []byte {
	if t == nil || !t.Traces || len(raw) == 0 || raw[0] != '{' {
		return raw
	}
	if code, _, _ := rawmsg.Member(raw, "code"); string(code) == authRequired {
		return raw // editors offer a login
	}
	text := stacktrace.Cut(rawmsg.MemberText(raw, "message"))
	data, _, _ := rawmsg.Member(raw, "data")
	switch cause := stacktrace.Cut(causeOf(data)); {
	case cause == "" || strings.Contains(text, cause):
	case text == "" || strings.EqualFold(text, "Internal error"):
		text = cause // the message adds nothing to the cause
	default:
		text += ": " + cause
	}
	if text == "" {
		text = "the agent failed without a reason"
	}
	details := map[string]string{"details": text, "code": codeFailed} // the code is for programs
	if len(data) > 0 && data[0] == '{' {
		details["code"] = cmp.Or(rawmsg.MemberText(data, "code"), codeFailed)
	}
	return rawmsg.Set(rawmsg.Set(raw, "message", rawmsg.Quote(text)), "data", rawmsg.Encode(details))
}

// causeOf returns the cause in an error's data. Agents use several member names for it.
func causeOf(data []byte) string {
	if len(data) == 0 || data[0] != '{' {
		return rawmsg.Text(data)
	}
	for _, name := range []string{"details", "error", "message"} {
		if cause := rawmsg.MemberText(data, name); strings.TrimSpace(cause) != "" {
			return cause
		}
	}
	return ""
}
