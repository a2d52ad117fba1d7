package check

import "github.com/turnwire/turnwire/internal/agent/stream/lint"

const seeACP = "acp.md"

// acpRules are the rules for agents that speak ACP.
var acpRules = []lint.Rule{
	{ID: "acp-envelope", Severity: lint.Error, Means: "The line is not a JSON-RPC 2.0 message.", Cure: "Send jsonrpc \"2.0\" with either a method, or an id and a result or an error.", See: seeACP},
	{ID: "acp-schema", Severity: lint.Error, Means: "A message lacks a member that ACP version 1 requires, or has one of the wrong type.", Cure: "Send all required members, with values of the right type.", See: seeACP},
	{ID: "acp-unknown-value", Severity: lint.Warning, Means: "Turnwire doesn't know this value in ACP version 1.", Cure: "Use a known value. Editors may reject others.", See: seeACP},
	{ID: "acp-unknown-method", Severity: lint.Warning, Means: "The agent called a method that ACP version 1 doesn't define.", Cure: "Start the names of custom methods with an underscore.", See: seeACP},
	{ID: "acp-not-offered", Severity: lint.Error, Means: "The agent used a capability that the client didn't offer.", Cure: "Check the clientCapabilities of initialize first.", See: seeACP},
	{ID: "acp-unasked-answer", Severity: lint.Error, Means: "A response has an unknown id, or the id of a request that was already answered.", Cure: "Answer each request once, with the same id of the same type.", See: seeACP},
	{ID: "acp-no-answer", Severity: lint.Error, Means: "A request was not answered in time.", Cure: "Answer each request. If it fails, answer with an error.", See: seeACP},
	{ID: "acp-refused", Severity: lint.Error, Means: "A request that every agent must support was answered with an error.", Cure: "Support initialize, session/new and session/prompt.", See: seeACP},
	{ID: "acp-version", Severity: lint.Error, Means: "The agent answered with a protocol version other than 1.", Cure: "If you support the requested version, answer with it.", See: seeACP},
	{ID: "acp-login", Severity: lint.Note, Means: "The agent requires a login before it opens a session. The rest was not checked.", Cure: "Log in, then check again.", See: seeACP},
	{ID: "acp-session-id", Severity: lint.Error, Means: "A message belongs to an unknown session.", Cure: "Use the sessionId from your session/new response, and send it before any message of the session.", See: seeACP},
	{ID: "acp-update-order", Severity: lint.Error, Means: "A tool call was updated before it was announced.", Cure: "Send tool_call before tool_call_update.", See: seeACP},
	{ID: "acp-call-not-ended", Severity: lint.Warning, Means: "A tool call was still open when its turn ended.", Cure: "Send tool_call_update with the status completed or failed.", See: seeACP},
	{ID: "acp-late-update", Severity: lint.Error, Means: "An update came after the response to its prompt.", Cure: "Send all updates before the response.", See: seeACP},
	{ID: "acp-options", Severity: lint.Error, Means: "A permission request has no options, or two with the same id.", Cure: "Offer options, each with a unique id.", See: seeACP},
	{ID: "acp-bad-line", Severity: lint.Error, Means: "The agent exited after an invalid JSON line.", Cure: "Answer it with the error -32700 and the id null, and continue.", See: seeACP},
	{ID: "acp-parse-error", Severity: lint.Note, Means: "An invalid JSON line was not answered with the error -32700.", Cure: "Answer it with the error -32700 and the id null, as JSON-RPC requires.", See: seeACP},
	{ID: "acp-method-not-found", Severity: lint.Error, Means: "A request with an unknown method was not answered with the error -32601.", Cure: "Answer with the error -32601.", See: seeACP},
	{ID: "acp-session-unknown", Severity: lint.Error, Means: "A prompt for an unknown session was accepted.", Cure: "Answer with an error, such as -32602 or -32002.", See: seeACP},
	{ID: "acp-cancel-ignored", Severity: lint.Error, Means: "A cancelled prompt was not answered in time.", Cure: "Stop, send the last updates, and answer with the stopReason cancelled.", See: seeACP},
	{ID: "acp-cancel-unsaid", Severity: lint.Error, Means: "A cancelled prompt was answered with an error. Or it was cancelled during a permission request and answered with a stop reason other than cancelled.", Cure: "Answer with the stopReason cancelled.", See: seeACP},
}

// acpRule returns a finding for an ACP rule.
func acpRule(rule, subject, message string) lint.Finding {
	f := lint.New(rule, message)
	f.Subject = subject
	for _, r := range acpRules {
		if r.ID == rule {
			f.Severity, f.Help = r.Severity, r.Cure
		}
	}
	return f
}
