package toolview

import "github.com/turnwire/turnwire/agent"

// Fill completes the view of a call from its dialect's table. It does nothing
// for a tool that the table does not know, and keeps what the agent has set.
// Paths stay as they are. It sets no diffs: those of the arguments are not what
// the agent says of the files, and a reader of the files may know more.
func (t Table) Fill(v *agent.View, name string, args []byte) {
	if _, ok := t.Find(name); ok {
		diffs := v.Diffs
		*v = Describe(t, *v, name, args, "")
		v.Diffs = diffs
	}
}
