package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// resumedEnd returns the end of a call that was resumed with a result. The
// result is the tool's result, {"error":"…"} if the tool failed, or the
// decision if that refused the call or was all that it waited for.
func resumedEnd(result value, refused bool) agent.ToolEnd {
	if refused {
		reason := result.OptionalKey("reason")
		if reason == "" {
			reason = "it was refused"
		}
		return agent.ToolEnd{Cancelled: true, Error: reason}
	}
	if text := errorIn(result); text != "" {
		return agent.ToolEnd{Error: text}
	}
	if result.OptionalKey("kind") == "permission_decision" {
		return agent.ToolEnd{OK: true}
	}
	return success(result)
}

// decides reports whether a value is a decision about a permission.
func decides(v value) bool {
	return isBool(v.raw) || isBool(v.Raw("approved"))
}

func isBool(raw []byte) bool { return string(raw) == "true" || string(raw) == "false" }

// denies reports whether the value that a call was resumed with refuses it. A
// tool's own result never contains "approved":false or the like.
func denies(v value) bool {
	if string(v.raw) == "false" {
		return true
	}
	for key, member := range v.All() {
		switch name := string(rawjson.Body(key)); name {
		case "approved":
			if string(member) == "false" {
				return true
			}
		case "status", "decision", "action":
			if refuses(strings.ToLower(value{raw: member}.text())) {
				return true
			}
		default:
			if refuses(name) && string(member) == "true" {
				return true
			}
		}
	}
	return false
}

// refuses reports whether a word means a refusal (suspension.rs).
func refuses(word string) bool {
	switch word {
	case "deny", "denied", "reject", "rejected", "cancel", "canceled", "cancelled", "abort", "aborted":
		return true
	}
	return false
}
