// Package normalize turns any stream of events into a well-formed one.
//
// Agents forget to start what they end and to end what they start, use an id
// twice, or repeat the whole answer in their last event, or send it only there.
// A [Normalizer] holds all state between the agent's bytes and the editor's,
// and yields [Step] values that a stateless mapper can show.
//
// Contract, for any input (a fuzz test checks it):
//
//   - every text and thought carries a message id; none is empty, and none is
//     longer than [MaxText] bytes as JSON;
//   - the first step about a tool call has First set, every call gets one
//     terminal status, and an id names only one call of a session, however
//     often the agent uses it;
//   - text in the terminal event that was never streamed is yielded once, and
//     streamed text is never yielded twice;
//   - progress for the audiences internal and dashboard is not yielded, and
//     neither are such calls, unless they fail;
//   - each turn has one end, and no step of it follows;
//   - a confirmation or question outside of a running turn is yielded with the
//     reason for its refusal, because the agent waits for an answer;
//   - a step says which fields of a call or of the options have changed, so a
//     client that is shown all steps lacks nothing;
//   - memory is bounded, whatever the agent sends.
//
// A Normalizer belongs to one goroutine. Steps, like events, are valid until the
// next one.
package normalize
