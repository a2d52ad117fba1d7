// Package consent says what is decided when an agent asks for permission, by
// whom, and how that is told.
//
// # Contract
//
// A [Judge] is asked before the user is. It looks at a [Call] as the agent
// describes it, and knows nothing else of the agent. What it allows is allowed
// once, and only where the agent offers exactly one option for that: see
// [Ruling.Choose]. What it has no rule for is asked.
//
// A [Decision] is what became of one request, whoever has decided. There is one for
// each. The package does no input or output.
package consent
