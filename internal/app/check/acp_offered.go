package check

import (
	"fmt"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// The client of a check has said that it has nothing: its clientCapabilities are
// empty. So whatever needs one of them is a fault.

// notOffered is a finding about a capability of the client.
func notOffered(capability, message string) lint.Finding {
	return acpRule("acp-not-offered", capability, message)
}

// logins looks at the ways to log in that the agent names.
func (a *acp) logins(hello map[string]any) {
	methods, _ := hello["authMethods"].([]any)
	for _, m := range methods {
		if m, ok := m.(map[string]any); ok && m["type"] == "terminal" {
			a.Tell(notOffered("auth.terminal", fmt.Sprintf("the login %.80q is one for a terminal, and the client has not said that it has auth.terminal", fmt.Sprint(m["id"]))))
		}
	}
}

// options looks at what a new session lets its user choose.
func (a *acp) options(opened map[string]any) {
	options, _ := opened["configOptions"].([]any)
	for _, o := range options {
		if o, ok := o.(map[string]any); ok && o["type"] == "boolean" {
			a.Tell(notOffered("session.configOptions.boolean",
				fmt.Sprintf("the option %.80q is a boolean, and the client has not said that it has session.configOptions.boolean", fmt.Sprint(o["id"]))))
		}
	}
}
