// Package telemetry exports what happens between an editor and an agent to OpenTelemetry
// and Prometheus.
//
// # Contract
//
// A [Watcher] sits between a source and its view and sees the Go values that pass. It
// changes only one thing: the trace context in the `_meta` of prompts and questions. If
// telemetry is disabled, there is no watcher.
//
// Spans and metrics use the names of OpenTelemetry's conventions for generative AI where
// they exist, and turnwire.* otherwise. They contain no text of the user, the agent or a
// tool: no prompt, path, command or title.
//
//	connection
//	  session
//	invoke_agent AGENT        a turn; in the client's trace if it sent one
//	  execute_tool KIND
//	    confirm               the time spent waiting for the user
//
// The state is bounded by the number of open sessions, turns, calls and questions. One
// lock guards it, which is never held while waiting.
package telemetry
