// Package lifecycle implements the lifecycle of sessions. It makes an
// [agent.Session] of a backend that only knows how to run a turn.
//
// There are two kinds of backends. A [Backend] reaches its agent through calls
// that take time and may fail, such as requests to a server. A [LineBackend]
// writes lines to an agent that reads them in order, and that may also send
// events between turns.
//
// # Contract
//
// Turns run one after another. A turn that was abandoned, or that does not
// return after its end, is cut off. Each turn ends with a terminal event, even
// if the backend emits none.
//
// Decisions are delivered one after another. Once a turn is cancelled, every
// decision in it becomes a refusal, whether it is queued or being delivered. For
// a [Backend], the cancel itself overtakes queued decisions. Options are
// delivered concurrently with turns, but before turns that are prompted later.
//
// Events are delivered one batch at a time. A backend blocks while nobody
// receives: an editor that does not read blocks the agent. The receiver decodes
// the batches. Each event of a [Turn] carries the turn's id. Events of a
// [Stream], which outlives turns, are passed on as the agent sent them.
package lifecycle
