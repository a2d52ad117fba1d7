// Package telemetry tells OpenTelemetry and Prometheus what happens between an
// editor and an agent.
//
// # Contract
//
// A [Watcher] reads what passes on one connection of the Agent Client Protocol, in
// both directions, and changes one thing alone: the trace context in the `_meta` of
// prompts and of questions. What it does not understand passes as it is. Where
// nothing is measured there is no watcher, and no message passes this package.
//
// Spans and metrics have the names of OpenTelemetry's conventions for generative AI
// where there are any, and turnwire.* else. No text of the user, of the agent or
// of a tool is in them: no prompt, path, command or title.
//
//	connection
//	  session
//	invoke_agent AGENT        a turn; the client's trace where it names one
//	  execute_tool KIND
//	    confirm               how long the user is waited for
//
// The state is bounded by what is open. Whoever reads in one direction and whoever
// reads in the other share it under one lock, which is not held while something
// waits.
package telemetry
