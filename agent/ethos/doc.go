// Package ethos reaches agents of the Ethos framework (seed 000) and decodes
// what they say.
//
// # The dialect
//
// Ethos has one vocabulary and three ways to write it: bare AgentEvents, the
// same inside "$/stream" notifications of the private JSON-RPC of `ethos acp`,
// and the web API's server-sent events, which leave some events out and add a
// family of their own. [Dialect] takes lines of all three. A bare AgentEvent
// is a line of the native dialect, and package native decodes it; here is what
// only Ethos does:
//
//   - `ethos acp` keeps "done" to itself and answers the prompt instead, with
//     success also after an error: the answer ends a turn, once;
//   - what stops a turn is said twice, as progress of a tool that does not
//     exist ("_budget") and as a halt: it is shown once;
//   - a refused call is only ever ended, never started, and its reason stands
//     there as result and as error;
//   - calls that a script makes ("<parent>#<n>") are the script's own business;
//   - the list of todo tools is a plan.
//
// # The drivers
//
// [NewACP] runs `ethos acp` as a child. It has neither approvals nor
// questions: what would need one is refused by Ethos itself. [NewWeb] talks to
// the web API of `ethos serve`, the one surface that has both. An approval is
// only ever given for this call or for exactly these arguments; one that
// nobody decides is denied towards Ethos, which would wait for ever.
package ethos
