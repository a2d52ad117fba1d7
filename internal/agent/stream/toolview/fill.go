package toolview

import "github.com/turnwire/turnwire/agent"

// Fill completes the view of a call from its dialect's table. It keeps what the
// agent set, and does nothing for tools that are not in the table. Paths stay
// unchanged. It sets no diffs, because the arguments don't tell what the agent
// reports about files, and code that reads the files may know more.
func (t Table) Fill(v *agent.View, name string, args []byte) {
	if _, ok := t.Find(name); ok {
		diffs := v.Diffs
		*v = Describe(t, *v, name, args, "")
		v.Diffs = diffs
	}
}
