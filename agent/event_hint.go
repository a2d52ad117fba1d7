package agent

// A Hint says what is wrong with a line that the agent wrote. The decoder makes it; no
// agent sends it. There is one for each kind of mistake, and one for each event that
// was lost. It is for the agent's author, and reaches the user if nothing else does.
type Hint struct {
	Rule    string // the id of the rule, as docs/check.md lists it
	Kind    string // hints of one kind say the same
	Line    int    // of what the agent has printed, from 1; 0 where it is about no line
	Message string // what is wrong
	Help    string // what to do
	// Lost says that an event was dropped, or a part of it. Each one that is lost
	// has a hint; Again says that one of its kind came before.
	Lost, Again bool
	Base
}

// Type implements [Event].
func (*Hint) Type() string { return "hint" }
