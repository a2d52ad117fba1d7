// Package quirks repairs one known agent's deviations from the Agent Client Protocol.
//
// # Contract
//
// A [Table] describes one agent. The relay applies it to that agent's output only. A
// [Session] is the bounded state that a table needs for one session. Messages that no
// entry of the table applies to are returned byte for byte.
//
// A repair never adds consent. An option whose meaning is not in the table is dropped,
// and a request without any remaining option is refused.
//
// The package does no I/O. A [Session] is not safe for concurrent use.
package quirks
