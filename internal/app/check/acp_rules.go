package check

import "github.com/turnwire/turnwire/internal/agent/stream/lint"

const seeACP = "acp.md"

// acpRules are the rules for agents that speak ACP.
var acpRules = []lint.Rule{
	{ID: "acp-envelope", Severity: lint.Error, Means: "The line is no message of JSON-RPC 2.0.", Cure: "A message has jsonrpc \"2.0\", and a method, or an id with a result or an error.", See: seeACP},
	{ID: "acp-schema", Severity: lint.Error, Means: "A message of ACP version 1 lacks a member, or has one of the wrong kind.", Cure: "Give each member that is required, with a value of its kind.", See: seeACP},
	{ID: "acp-unknown-value", Severity: lint.Warning, Means: "A value is none of those that Turnwire knows of ACP version 1.", Cure: "Use one that is known; editors may refuse others.", See: seeACP},
	{ID: "acp-unknown-method", Severity: lint.Warning, Means: "The agent calls a method that ACP version 1 does not have.", Cure: "Names of methods of one's own begin with an underscore.", See: seeACP},
	{ID: "acp-not-offered", Severity: lint.Error, Means: "The agent uses what the client has not said that it has.", Cure: "Look into the clientCapabilities of initialize first.", See: seeACP},
	{ID: "acp-unasked-answer", Severity: lint.Error, Means: "A response has an id that no request had, or that was answered before.", Cure: "Answer each request once, with its id unchanged, also in its type.", See: seeACP},
	{ID: "acp-no-answer", Severity: lint.Error, Means: "A request was not answered in time.", Cure: "Answer each request, with an error where there is no result.", See: seeACP},
	{ID: "acp-refused", Severity: lint.Error, Means: "A request that every agent has to serve was answered with an error.", Cure: "Serve initialize, session/new and session/prompt.", See: seeACP},
	{ID: "acp-version", Severity: lint.Error, Means: "The agent answers with another version of the protocol than 1.", Cure: "Answer with the version that was asked for if you speak it.", See: seeACP},
	{ID: "acp-login", Severity: lint.Note, Means: "The agent wants a login before it opens a session; the rest is unchecked.", Cure: "Log in, and check again.", See: seeACP},
	{ID: "acp-session-id", Severity: lint.Error, Means: "A message names a session that was not opened.", Cure: "Use the sessionId that session/new was answered with, and send nothing of the session before.", See: seeACP},
	{ID: "acp-update-order", Severity: lint.Error, Means: "A tool call is updated before it was announced.", Cure: "Send tool_call before tool_call_update.", See: seeACP},
	{ID: "acp-call-not-ended", Severity: lint.Warning, Means: "A tool call has not ended when its turn has.", Cure: "Send tool_call_update with the status completed or failed.", See: seeACP},
	{ID: "acp-late-update", Severity: lint.Error, Means: "An update of a turn comes after the answer to its prompt.", Cure: "Send all updates, and then the answer.", See: seeACP},
	{ID: "acp-options", Severity: lint.Error, Means: "The options of a permission cannot be chosen among: none, or two with one id.", Cure: "Give options, each with an id of its own.", See: seeACP},
	{ID: "acp-bad-line", Severity: lint.Error, Means: "The agent does not survive a line that is no JSON.", Cure: "Answer it with the error -32700 and the id null, and go on.", See: seeACP},
	{ID: "acp-parse-error", Severity: lint.Note, Means: "A line that is no JSON was not answered with the error -32700.", Cure: "JSON-RPC wants an answer with the id null.", See: seeACP},
	{ID: "acp-method-not-found", Severity: lint.Error, Means: "A request of a method that there is not was not answered with the error -32601.", Cure: "Answer with the error -32601.", See: seeACP},
	{ID: "acp-session-unknown", Severity: lint.Error, Means: "A prompt of a session that there is not was served.", Cure: "Answer with an error, such as -32602 or -32002.", See: seeACP},
	{ID: "acp-cancel-ignored", Severity: lint.Error, Means: "A prompt that was cancelled was not answered in time.", Cure: "Stop, send the last updates, and answer with the stopReason cancelled.", See: seeACP},
	{ID: "acp-cancel-unsaid", Severity: lint.Error, Means: "A prompt that was cancelled was answered with an error, or while it asked, with another stop reason than cancelled.", Cure: "Answer with the stopReason cancelled.", See: seeACP},
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
