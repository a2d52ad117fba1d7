package toolview

import "github.com/turnwire/turnwire/agent"

// Fill completes what a decoder knows of a call by its dialect's table: only
// where the table knows the tool, and only what the agent did not say itself.
// Paths stay as they are.
func (t Table) Fill(v *agent.View, name string, args []byte) {
	if _, ok := t.Find(name); ok {
		*v = Describe(t, *v, name, args, "")
	}
}
