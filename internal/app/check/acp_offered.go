package check

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// The client of a check offers nothing: its clientCapabilities are empty. So the use of
// any capability is an error.

// notOffered is a finding about a capability that the client lacks.
func notOffered(capability, message string) lint.Finding {
	return acpRule("acp-not-offered", capability, message)
}

// logins checks the login methods that the agent offers.
func (a *acp) logins(initialize map[string]any) {
	methods, _ := initialize["authMethods"].([]any)
	for _, m := range methods {
		if m, ok := m.(map[string]any); ok && m["type"] == "terminal" {
			a.Tell(notOffered("auth.terminal", fmt.Sprintf("the login method %.80q needs a terminal, but the client doesn't offer auth.terminal", fmt.Sprint(m["id"]))))
		}
	}
}

// options checks the config options of a new session.
func (a *acp) options(opened map[string]any) {
	options, _ := opened["configOptions"].([]any)
	for _, o := range options {
		if o, ok := o.(map[string]any); ok && o["type"] == "boolean" {
			a.Tell(notOffered("session.configOptions.boolean",
				fmt.Sprintf("the option %.80q is a boolean, but the client doesn't offer session.configOptions.boolean", fmt.Sprint(o["id"]))))
		}
	}
}
