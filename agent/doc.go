// Package agent defines Turnwire's view of an agent: something that receives prompts
// and answers, and streams events.
//
// # Events
//
// [Event] is a closed union, the canonical AgentEvent. Its JSON is also the native
// dialect, which users' own agents print. It is a superset of the Ethos vocabulary:
// "type" is in snake_case, members are in camelCase. [Variants] lists the union's
// types. Turnwire makes every stream well-formed before it shows it, so an agent may
// be sloppy.
//
// # Ownership
//
// An event belongs to the code that yields it, because decoders reuse their memory. It
// is valid until the loop over its [Batch] requests the next event. Code that keeps
// part of an event longer must clone that part.
//
// # Connecting an agent
//
// A driver implements [Agent]. A [Session] delivers the agent's events through one
// channel, in order. It takes prompts, answers and cancels through methods that never
// block. This package knows nothing about ACP.
//
// The easiest way to write an agent in Go is package agent/handler, which turns a
// function into one; bridge.Serve connects any agent to an editor.
//
// # Stability
//
// This package, agent/handler, agent/stream/dialect, bridge and protocol follow
// semantic versioning. Before 1.0, a minor version may break them; the changelog lists
// such changes. Minor versions may add events to the union, even after 1.0, so a
// switch over events needs a default case. All other packages may change at any time.
package agent
