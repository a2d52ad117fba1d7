// Package quirks repairs what one known agent writes differently than the Agent
// Client Protocol says.
//
// # Contract
//
// A [Table] describes one agent. The relay applies it to what that agent writes, and
// to no other agent. A [Session] is what a table needs to remember of one session; its
// size is bounded. What no row of the table is about comes back as the same bytes.
//
// A repair never adds consent: an option whose meaning is not in the table is left
// out, and a request that then offers nothing is refused.
//
// The package does no input or output. A [Session] is not safe for concurrent use.
package quirks
