// Package turns is the one lifecycle of sessions: it makes an [agent.Session]
// of a backend that can do no more than run a turn.
//
// There are two kinds of backends. A [Backend] reaches its agent by calls that
// take time and may fail, such as requests to a server. A [LineBackend] writes
// lines to an agent that reads them in their order, and that may also speak
// between turns.
//
// # Contract
//
// Turns run one after another. A turn that was abandoned, or that does not
// return after its end, is cut off, and each turn ends with a terminal event,
// whatever the backend forgot.
//
// Decisions are passed on one after another. Once a turn is cancelled every
// decision of it is a refusal, whether it waits or is being passed on; for a
// [Backend] the cancel itself overtakes those that wait. Options are passed on
// beside the turns, but before the turns that are prompted later.
//
// Events are handed over one batch at a time, and a backend waits while nobody
// receives: an editor that does not read stops the agent. Batches are decoded by
// their receiver. Each event of a [Turn] carries the id of the turn; those of a
// [Stream], which outlives turns, are as the agent has sent them.
package turns
