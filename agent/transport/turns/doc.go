// Package driver makes sessions of agents that are reached by turns: through a
// server, or through a protocol with requests and answers.
//
// A [Backend] does what only it can do: run a turn, and pass on what the person
// decides. The session around it owns the order: turns run one after another,
// decisions are passed on one after another, a turn that was abandoned, or does
// not return behind its end, is cut off, and each turn ends with a terminal
// event, whatever the backend forgot. What is chosen is passed on beside the
// turns, but before those that are prompted later.
//
// # Contract
//
// Every event of a turn carries the id of the turn that it was emitted in, so that what
// comes too late is known by it. Events are handed over one batch at a time,
// and a backend waits while nobody takes them: an editor that does not read
// stops the agent. Decoding is done by whoever takes a batch.
package turns
