// Package wire decodes what agents of the Ethos framework (seed 000) write.
//
// Ethos has one vocabulary and three ways to write it: bare AgentEvents, the
// same inside "$/stream" notifications of the private JSON-RPC of `ethos acp`,
// and the web API's server-sent events, which leave some events out and add a
// family of their own, the pushes. [Dialect] takes lines of all three. A bare
// AgentEvent is an event of the native dialect. Only Ethos does the following:
//
//   - `ethos acp` keeps "done" to itself and answers the prompt instead, with
//     success also after an error: the answer ends a turn, once;
//   - Ethos reports what stops a turn twice, as progress of a tool that does not
//     exist ("_budget") and as a halt: the user sees it once;
//   - a refused call ends without a start, with the reason both as its result and
//     as its error;
//   - calls that a script makes ("<parent>#<n>") are the script's own business;
//   - the list of todo tools is a plan.
package wire
