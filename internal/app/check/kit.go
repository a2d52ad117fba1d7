package check

import (
	"slices"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// A requirement is a requirement of acp-tck, ACP's official test kit, in its suite for
// protocol version 1.
type requirement struct {
	rule    string
	subject string // the subject of the findings; "" matches all of the rule
	id      string
}

// kit maps our rules to equivalent requirements of the kit. An agent that violates one
// violates the other.
var kit = []requirement{
	{"not-json", "", "ACP-TRANSPORT-001"},
	{"bad-json", "", "ACP-TRANSPORT-001"},
	{"pretty-json", "", "ACP-TRANSPORT-001"},
	{"json-array", "", "ACP-TRANSPORT-001"},
	{"not-an-object", "", "ACP-TRANSPORT-001"},
	{"sse-data-prefix", "", "ACP-TRANSPORT-001"},
	{"utf16", "", "ACP-TRANSPORT-002"},
	{"not-utf8", "", "ACP-TRANSPORT-002"},
	{"does-not-end", "", "ACP-SHUTDOWN-001"},
	{"acp-envelope", "", "ACP-TRANSPORT-001"},
	{"acp-envelope", bothMembers, "ACP-JSONRPC-002"},
	{"acp-schema", "", "ACP-SCHEMA-001"},
	{"acp-unasked-answer", "", "ACP-JSONRPC-001"},
	{"acp-no-answer", "initialize", "ACP-INIT-001"},
	{"acp-no-answer", "session/new", "ACP-SESSION-001"},
	{"acp-no-answer", "session/prompt", "ACP-PROMPT-001"},
	{"acp-no-answer", noSuchMethod, "ACP-EXT-001"},
	{"acp-refused", "initialize", "ACP-INIT-001"},
	{"acp-refused", "session/new", "ACP-SESSION-001"},
	{"acp-refused", "session/prompt", "ACP-PROMPT-001"},
	{"acp-version", "", "ACP-INIT-002"},
	{"acp-not-offered", "fs", "ACP-CLIENTCAP-001"},
	{"acp-not-offered", "terminal", "ACP-CLIENTCAP-002"},
	{"acp-not-offered", "elicitation", "ACP-CLIENTCAP-003"},
	{"acp-not-offered", "auth.terminal", "ACP-AUTH-002"},
	{"acp-not-offered", "session.configOptions.boolean", "ACP-CONFIG-003"},
	{"acp-session-id", "", "ACP-PROMPT-002"},
	{"acp-late-update", "", "ACP-CANCEL-002"},
	{"acp-bad-line", "", "ACP-INFO-PARSE-001"},
	{"acp-parse-error", "", "ACP-INFO-PARSE-001"},
	{"acp-method-not-found", "", "ACP-JSONRPC-004"},
	{"acp-session-unknown", "", "ACP-INFO-UNKNOWNSESSION-001"},
	{"acp-cancel-ignored", "", "ACP-CANCEL-001"},
	{"acp-cancel-unsaid", "", "ACP-CANCEL-001"},
}

// Kit returns the ids of the requirements that correspond to a rule, in the order of the
// rule's subjects.
func Kit(rule string) (ids []string) {
	for _, r := range kit {
		if r.rule == rule && !slices.Contains(ids, r.id) {
			ids = append(ids, r.id)
		}
	}
	return ids
}

// withKit adds the corresponding requirements to a finding.
func withKit(f lint.Finding) lint.Finding {
	for _, r := range kit {
		if r.rule == f.Rule && (r.subject == "" || r.subject == f.Subject) {
			f.Kit = append(f.Kit, r.id)
		}
	}
	return f
}
