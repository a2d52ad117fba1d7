// Package bridge stands between an editor and an agent: ACP on one side,
// [agent.Session] on the other.
//
// # Order
//
// One goroutine reads the editor. It enters every message in the order in
// which it came, never blocks on the editor or the agent, and never calls the
// editor. A prompt is in its session's queue before the next message is read,
// so no cancel can miss it.
//
// One goroutine serves each session. It alone starts turns, takes the agent's
// events, tracks and maps them, sends the updates and answers the prompt: the
// updates of a turn precede its answer by construction. It starts when the
// answer to session/new is in the stream, so no update precedes that.
//
// What is chosen goes from the reader to the agent at once, so it precedes what
// is prompted next. It is answered by the session's goroutine, behind the
// updates that show it, when the agent has said that it is set; with an error
// where the agent refuses, offers it no more, or does not say so in time.
//
// # Back-pressure
//
// Updates wait while the editor does not read; then the session does not take
// the agent's events, and the agent's pipe fills. So it does while the editor is
// asked very much at once. Answers, requests, choices and cancels never wait.
//
// # Goroutines
//
//   - jsonrpc2's reader, which runs [conn.Handle]; ends with the input;
//   - the stream's writer; ends with the stream;
//   - one for each request that takes time (session/new, session/close); may
//     block on the agent, is waited for at the end;
//   - one for each session, as above; ends when the session is closed;
//   - one for each open request to the editor (a permission, a question, a
//     file); ends with its answer or, soon after, with its context.
//
// # Consent
//
// It is never inferred: a tool is permitted only by the selected id of an
// option that was offered and that allows. An error, a cancel, an unknown id,
// a late answer or the end of the input refuses, and the agent is told.
//
// Once a cancel is read, nothing that is read later permits anything. The reader
// enters a cancel and tells the agent under the session's lock, and answers are
// passed on under that lock too (see [session.permit]): what permits is at the
// agent before the cancel, or never.
//
// Whatever an agent asks gets exactly one answer. What cannot be read, belongs to
// no turn that runs, or could claim the answer to something else that is open is
// refused, with the reason in the log and in the answer.
//
// # The end
//
// At the end of the input every prompt is answered as cancelled at once, with its
// tool calls ended, and the agents are closed beside that. Both, and the reading
// of the last lines, share one budget; see [endBudget].
package bridge
