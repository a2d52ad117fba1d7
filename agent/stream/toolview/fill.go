package toolview

import "github.com/turnwire/turnwire/agent"

// Fill completes the view of a call from its dialect's table. It does nothing
// for a tool that the table does not know, and keeps what the agent has set.
// Paths stay as they are.
func (t Table) Fill(v *agent.View, name string, args []byte) {
	if _, ok := t.Find(name); ok {
		*v = Describe(t, *v, name, args, "")
	}
}
