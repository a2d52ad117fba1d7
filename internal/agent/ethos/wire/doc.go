// Package wire decodes the output of agents of the Ethos framework.
//
// Ethos has one vocabulary in three formats: bare AgentEvents; the same in
// "$/stream" notifications of the private JSON-RPC of `ethos acp`; and the web
// API's server-sent events, which omit some events and add others, the pushes.
// [Dialect] accepts lines in all three formats. A bare AgentEvent is an event
// of the native dialect. Some behaviour is specific to Ethos:
//
//   - `ethos acp` does not send "done". It responds to the prompt instead,
//     with success even after an error. The response ends a turn once.
//   - Ethos reports what stops a turn twice, as progress of a pseudo-tool
//     ("_budget") and as a halt. The user sees it once.
//   - A refused call ends without a start, with the reason both as its result
//     and as its error.
//   - Calls made by a script ("<parent>#<n>") are internal to the script.
//   - The list of the todo tools is a plan.
package wire
