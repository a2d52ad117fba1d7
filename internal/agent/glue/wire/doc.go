// Package wire decodes what Glue, a coding agent written in Dart, says of its
// work (seed 003).
//
// Glue has three vocabularies, and this dialect takes all of them, also mixed:
//
//   - its nine AgentEvents: as Glue itself writes them down (in snake_case:
//     "assistant_message", "tool_call" …), and under the class names of the
//     seed ("AgentTextDelta" …), for whoever serializes the classes;
//   - the rows of a session's conversation.jsonl, which Types calls "row:…":
//     some have the name of an AgentEvent, but are numbered and dated;
//   - the SessionEvents of the contract that Glue proposes, which Types calls
//     "session:…": no release writes them yet.
//
// Contract, beyond that of [dialect.Decoder]:
//
//   - a conversation has no row for the end of a turn: the next user_message
//     ends it, and the reader ends the last one with the end of the file;
//   - a call or a result without an id is paired in the order of the calls, in
//     which Glue gives its results;
//   - what a sub-agent does is shown under the call of that sub-agent: its
//     text is the output, its tool calls are children with ids of their own;
//   - a denied call ends as cancelled, never as done;
//   - stack traces, the bytes of attachments and the signatures of thoughts go
//     no further; what else has no place in the user's view is telemetry;
//   - what is remembered of a stream is bounded.
package wire
