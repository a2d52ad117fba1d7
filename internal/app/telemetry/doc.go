// Package telemetry tells OpenTelemetry and Prometheus what happens between an
// editor and an agent.
//
// # Contract
//
// A [Watcher] stands between a source and its view, sees the Go values that pass there,
// and changes one thing alone: the trace context in the `_meta` of prompts and of
// questions. Where nothing is measured there is no watcher.
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
// The state is bounded by what is open, and guarded by one lock, which is not held while
// something waits.
package telemetry
