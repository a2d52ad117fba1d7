package agent

// A Hint describes a mistake in a line that the agent printed. The decoder creates
// hints; agents never send them. A stream gets one hint for each kind of mistake, and
// one for each lost event. Hints are meant for the agent's author: the user sees one
// only if an event was lost or the turn shows nothing else.
type Hint struct {
	Rule    string // the rule's id, as listed in docs/check-rules.md
	Kind    string // hints of the same kind have the same meaning
	Line    int    // line number in the agent's output, from 1; 0 if the hint is about no line
	Message string // what is wrong
	Help    string // how to fix it
	// Lost reports that the event was dropped, all or in part. Again reports that the
	// stream already had a hint of this kind; only lost events repeat hints.
	Lost, Again bool
	Base
}

// Type implements [Event].
func (*Hint) Type() string { return "hint" }
