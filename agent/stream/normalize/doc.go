// Package normalize makes any stream of events lawful.
//
// Agents forget to start what they end and to end what they start, use an id
// twice, repeat the whole answer in their last event or say it only there. A
// [Normalizer] holds the only state on the way from the agent's bytes to the
// editor's, and yields [Step]s that a mapper without any state can show.
//
// Contract, for whatever comes in (a fuzz test holds the package to it):
//
//   - every text and thought carries a message id; none is empty, and none is
//     longer than [MaxText] bytes as JSON;
//   - the first step about a tool call has First set, every call gets one
//     terminal status, and an id names one call of a session only, however
//     often the agent uses it;
//   - text in the terminal event that was never streamed is yielded once;
//     streamed text is never yielded twice;
//   - progress for the audiences internal and dashboard is not yielded, and
//     neither are such calls, unless they fail;
//   - each turn has one end, and nothing of it comes after that;
//   - what is asked outside of a turn, or in one that is over, is yielded with the
//     reason for which it is refused: its agent waits;
//   - a step says what of a call or of the options has changed, and whoever is
//     shown all steps lacks nothing;
//   - what is kept is bounded, whatever the agent sends.
//
// A Normalizer belongs to one goroutine. Steps, like events, are valid until the
// next one.
package normalize
