// Package agent defines what an agent is to Turnwire: something that receives
// prompts and answers, and streams events.
//
// # Events
//
// [Event] is a closed union: the canonical AgentEvent. Its JSON is also the
// native dialect, in which users write agents of their own. It is a superset of
// the vocabulary of Ethos (a "type" in snake_case, fields in camelCase).
// [Variants] lists the members. Turnwire makes any stream of events well-formed before
// it shows them, so an agent need not be perfect.
//
// # Ownership
//
// An event belongs to the code that yields it. It is valid until the loop over
// its [Batch] requests the next one, because decoders reuse their memory. Code
// that keeps a part of an event longer must clone that part.
//
// # Reaching an agent
//
// A driver implements [Agent]. A [Session] delivers the agent's events through
// one channel, in order, and takes prompts, answers and cancels through methods
// that never block. This package knows nothing of ACP.
//
// The short way to an agent in Go is package agent/handler, which makes one of a
// function; bridge.Serve serves any to an editor.
//
// # Stability
//
// This package, agent/handler, agent/stream/dialect, bridge and protocol follow
// semantic versions: before 1.0 a minor version may change them, and the
// changelog says so. The union of events grows in minor versions after that too,
// so a switch over events needs a default. All other packages may change at any
// time.
package agent
