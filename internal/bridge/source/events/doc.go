// Package events is the source of an agent whose sessions are streams of events: it
// normalizes them, maps them to updates of the protocol, and takes prompts, answers and
// cancels back to an [agent.Session].
//
// # Order
//
// The view calls the source for one message of the client after the other. A call never
// blocks on the client or the agent. A prompt is in its session's queue before the call
// returns, so no cancel can miss it.
//
// One goroutine serves each session. Only this goroutine starts turns, takes
// the agent's events, normalizes and maps them, sends the updates and answers
// the prompt, so the updates of a turn always precede its answer. It starts
// when session/new is answered, so no update precedes that answer.
//
// The reader passes a changed option to the agent at once, so the change
// precedes the next prompt. The session's goroutine answers the request when
// the agent has confirmed the change, after the updates that show it. It
// answers with an error if the agent refuses, no longer offers the value, or
// does not confirm in time.
//
// # Back-pressure
//
// Updates wait while the editor does not read. Then the session takes no more
// events from the agent, and the agent's pipe fills. The same happens while too
// many requests to the editor are open. Answers, requests, options and cancels
// never wait.
//
// # Goroutines
//
//   - one for each call that takes time (session/new, session/close); may
//     block on the agent; the end waits for it;
//   - one for each session, as above; ends when the session is closed;
//   - one for each look at the files that a call writes, at most one a session;
//     ends as these do, or when the file system answers.
//
// # Parts
//
// A [session] is its goroutine and what that needs; each part owns its state. The parts
// that other goroutines use have a lock each: its [loop], [queue], [choices], [setup]
// and [memory], and the journal's recorder. All others belong to the session's
// goroutine. No part calls another one under its lock, except for [loop.wake], which
// takes none.
//
// # Files
//
// A call that writes a file is shown with the difference that it makes; see
// [looks]. The session waits for the file, but not long, and not after a cancel.
// So nothing that follows the call in its stream overtakes it.
//
// # Consent
//
// Consent is never inferred: a tool is permitted only by the selected id of an
// option that was offered and that allows. An error, a cancel, an unknown id, a
// late answer or the end of the input refuses, and the agent is told.
//
// Once a cancel is read, no later message permits anything. The reader records
// a cancel and tells the agent under the lock of the session's queue, and answers are
// passed on under the same lock (see [queue.permit]): an answer that permits reaches
// the agent before the cancel, or not at all.
//
// Every request of an agent gets exactly one answer. A request that cannot be
// read, belongs to no running turn, or could claim the answer to another open
// one is refused, with the reason in the log and in the answer.
//
// # The end
//
// When the source is stopped, every prompt is answered at once as cancelled, with its
// tool calls ended. The agents are closed after that.
package events
