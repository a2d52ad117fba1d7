package lifecycle

import "github.com/turnwire/turnwire/agent"

// Restart tells the user that the server has lost the conversation, so that the turn begins
// another one. server is its name.
func (t *Turn) Restart(server string) {
	t.Emit(&agent.Notice{Severity: "warning", Message: server + " no longer knows this conversation. A new one starts here."})
}

// Report logs and shows an error after which the turn continues.
func (t *Turn) Report(err error) {
	t.session.log.Warn("a decision could not be delivered", "error", err)
	goesOn := false
	t.Emit(&agent.Error{Error: err.Error(), Code: code(err), Fatal: &goesOn})
}
