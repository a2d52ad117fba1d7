// Package consent represents permission decisions: what was decided, and by whom.
//
// # Contract
//
// A [Judge] is asked before the user is. It sees a [Call] as the agent describes it,
// and knows nothing else about the agent. A call that it allows is allowed once, and
// only if the agent offers exactly one option for that; see [Ruling.Choose]. If no rule
// matches, the user is asked.
//
// A [Decision] is the outcome of one request, by a rule or a user. Each request has exactly
// one. The package does no I/O.
package consent
