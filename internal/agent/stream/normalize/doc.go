// Package normalize turns any stream of events into a well-formed one.
//
// Agents end what they never started, start what they never end, or reuse ids.
// They repeat the whole answer in their last event, or send it only there. A
// [Normalizer] holds all state between the agent's bytes and the editor's. It
// yields [Step] values that a stateless mapper can display.
//
// For any input, the following holds; a fuzz test checks it:
//
//   - Every text and thought has a message id. None is empty, and none is longer
//     than [MaxText] bytes as JSON.
//   - The first step about a tool call has First set, and every call gets one
//     terminal status. An id names only one call of a session, even if the agent
//     reuses it.
//   - Text in the terminal event that was never streamed is yielded once.
//     Streamed text is never yielded twice.
//   - Progress and calls for the audiences internal and dashboard are not
//     yielded, except calls that fail.
//   - Each turn has one end, and no step of the turn follows it.
//   - A confirmation or question outside a running turn is yielded with a reason
//     for its refusal, because the agent waits for an answer.
//   - A step says which fields of a call or of the options changed, so that a
//     client that is shown all steps misses nothing.
//   - Memory is bounded, whatever the agent sends.
//
// A Normalizer belongs to one goroutine. A step, like an event, is valid until
// the next one.
package normalize
