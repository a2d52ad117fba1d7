package agent

// A Hint says what is wrong with what the agent has written. No agent sends it:
// it is made where the agent's lines are decoded, of lines that were not
// understood, once for each kind of mistake. It is for the author of the agent,
// and reaches the user if nothing else does.
type Hint struct {
	Rule    string // the id of the rule, as docs/check.md lists it
	Kind    string // hints of one kind say the same
	Line    int    // of what the agent has printed, from 1; 0 where it is about no line
	Message string // what is wrong
	Help    string // what to do
	Base
}

// Type implements [Event].
func (*Hint) Type() string { return "hint" }
