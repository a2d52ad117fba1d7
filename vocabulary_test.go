package main

// A term is a phrase that the project's texts avoid, and what to write instead.
type term struct {
	// phrase is in lower case. It lists variants of a part in parentheses.
	phrase string
	use    string
}

// vocabulary has terms that readers stumble over. Many read like a translation; others
// name what already has a name in this field. A phrase must never be right: leave out
// those that also occur in good sentences.
var vocabulary = []term{
	// Names.
	{"front end(|s)", `"client", or "editor", "terminal" or "browser" if it is one`},
	{"(an|the) ask(|s)", `"request", "pending request"`},
	{"(session|conversation|transcript)(|s) (that|which) (is|are|was|were) kept", `"saved sessions"`},
	{"(what is kept|the journal keeps)", `"saved sessions", "session history"`},
	{"(answer|reply) to (|the )(initialize|session/new|session/load|session/prompt)", `"the initialize response", "the session/new response"`},
	{"(at|after|until|before) the end of (the|its) (input|output|stdin|stdout)", `"at EOF"`},

	// What exists, and what doesn't.
	{"(there|that|what|which) is none", `"if there are no events", "if unset", or an adjective such as "invalid"`},
	{"(are|was|were) none", `"if there are no events", "if unset"`},
	{"what (is|was) no", `an adjective, such as "invalid" or "unknown"`},
	{"that there (is|are)", `the noun: "unless a file exists"`},
	{"where (there|that) (is|are|was|were) (no|not|none|nothing)", `"if there is no file", "if unset"`},
	{"what (is|are|was|were) not (a|an)", `"an invalid event", "an unknown option"`},
	{"(has|have|had) (none|nobody) to", `what happens instead, such as "gets no mode option"`},
	{"(has|have|had) (no|a) place for", `"has no room for", "can't hold"`},
	{"nobody (wants|waits|asks)", `"unused", "not needed"`},
	{"what there (is|are|was|were)", `a noun, such as "the active rules"`},
	{"make(|s) of (it|them|the|a|an)", `a verb, such as "convert" or "parse"`},

	// Conditions, reasons, and who is meant.
	{"(as far|in so far|insofar) as", `"if", "according to", or the noun alone`},
	{"be (it|they) (a|an|the|in|on|by|from|for)", `"whether it is a program or a server"`},
	{"(whoever|whomever)", `"the caller", "the user", "no matter which client"`},
	{"for (who|those who|whoever)", `"belongs to the caller", or a verb`},
	{", for (it|they|he|she|nobody|nothing|there|that|this)", `"because"`},

	// Verbs.
	{"anew", `"again", "restart", "from scratch"`},
	{"(see|sees|seen|saw|seeing) to it", `"make sure", "ensure"`},
	{"(become|becomes|became) of", `"happen to"`},
	{"given up", `"released" for a lease, else "stopped", "dropped", "failed"`},
	{"(give|gives|gave|giving) (it|them|the lease|the session) up", `"release" for a lease, else "stop", "drop"`},
	{"(lies|stands) in (a|an|its|the|their)", `"is in"`},
	{"(has|have|had) (it|them) that", `"says that", "causes it to"`},
	{"(lie|lies|stand|stands) (at|before|behind|beside|there|where|in the|in its|in a)", `"is", "is in"`},
	{"(is|are|was|were|be|been) (told|said) of", `"is notified of", "learns about"`},
	{"(is|are|was|were|be|been) told so", `"is notified"`},
	{"(has|have|had) (been told|said that)", `the simple past: "was told", "said"`},
	{"without being told", `"on its own"`},
	{"(is|are) to be (added|asked|called|closed|deleted|given|handled|read|removed|run|said|sent|shown|started|told|used|written)", `"must be", "will be", or a noun such as "pending writes"`},
	{"(is|are|was|were) as (it|they) (is|are|was|were)", `"is unchanged"`},

	// Prepositions and adverbs.
	{"beside (it|them|the|a|an|its|each|that|turnwire)", `"next to", "in addition to"`},
	{"in (|the )place of", `"instead of"`},
	{"in spite of", `"despite"`},
	{"of (its|their|his|one's) own", `"its own thread", "a separate thread"`},
	{"(object|event|line|message) a line", `"one object per line"`},
	{"the end of (the|its) (input|output|stdin)", `"EOF"`},
	{"(counts|count) more", `"takes precedence"`},
	{"does so", `the verb, such as "it waits"`},
	{"may say no more", `"must be silent"`},
	{"for ever", `"forever"`},
	{"in vain", `"without success"`},
	{"as good as", `"almost"`},
	{"to begin with", `"first"`},
	{"(here|there|where)(of|in|to|upon|with|by|after)", `"of it", "in it", "so that"`},
	{"(albeit|amongst|erstwhile|henceforth|hitherto|lest|upon|whilst)", `a common word, such as "although", "among", "so far", "on" or "while"`},
	{"(as it were|so to say|so to speak)", `nothing: delete it`},
}
