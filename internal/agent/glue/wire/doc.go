// Package wire decodes the output of Glue, a coding agent written in Dart.
//
// Glue has three vocabularies. This dialect accepts all of them, even mixed:
//
//   - its nine AgentEvents, as Glue itself writes them (in snake_case:
//     "assistant_message", "tool_call" …), and under the class names in the
//     seed ("AgentTextDelta" …), for programs that serialize the classes;
//   - the rows of a session's conversation.jsonl, which Types calls "row:…".
//     Some have the name of an AgentEvent, but are numbered and dated;
//   - the SessionEvents of the contract that Glue proposes, which Types calls
//     "session:…". No release writes them yet.
//
// In addition to the contract of [dialect.Decoder]:
//
//   - A conversation has no row for the end of a turn. The next user_message
//     ends the turn, and EOF ends the last one.
//   - A call or a result without an id is paired in the order of the calls,
//     which is also the order of Glue's results.
//   - A sub-agent's activity is shown under its call: its text is the call's
//     output, and its tool calls are children with their own ids.
//   - A denied call ends as cancelled, never as completed.
//   - Stack traces, attachment bytes and thought signatures are dropped.
//     Anything else that the user should not see is telemetry.
//   - The state of a stream is bounded.
package wire
