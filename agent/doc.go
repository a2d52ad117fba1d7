// Package agent says what an agent is to Turnwire: something that is given
// prompts and answers, and that streams events.
//
// # Events
//
// [Event] is a closed union: the canonical AgentEvent. Its JSON is also the
// native dialect, what a user writes to make an agent of their own. It is a
// superset of the vocabulary of Ethos (a "type" in snake_case, fields in
// camelCase). [Variants] lists the members. The package agent/native/wire turns
// lines into events, and agent/stream/normalize makes any stream of events lawful.
//
// # Ownership
//
// An event belongs to whoever yields it and is valid until the loop that
// ranges over its [Batch] takes the next one: decoders use their memory again.
// Who keeps a part of an event longer clones that part.
//
// # Reaching an agent
//
// A driver implements [Agent]. A [Session] hands over what the agent says
// through one channel, in order, and takes prompts, answers and cancels
// through methods that never block. This package knows nothing of ACP.
package agent
