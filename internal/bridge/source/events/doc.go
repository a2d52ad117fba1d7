// Package events is the source for agents whose sessions are event streams. It
// normalizes the events, maps them to protocol updates, and takes prompts, answers and
// cancels back to an [agent.Session].
//
// # Order
//
// The view calls the source for one client message at a time. A call never blocks on
// the client or the agent. A prompt is in its session's queue before the call returns,
// so no cancel can miss it.
//
// One goroutine serves each session. Only this goroutine starts turns, receives the
// agent's events, normalizes and maps them, sends the updates and answers the prompt. A
// turn's updates therefore always precede its response. The goroutine starts when
// session/new is answered, so no update precedes that response.
//
// The reader passes a changed option to the agent at once, so the change precedes the
// next prompt. The session's goroutine answers the request when the agent has confirmed
// the change, after the updates that show it. It answers with an error if the agent
// refuses, no longer offers the value, or does not confirm in time.
//
// # Back-pressure
//
// Updates wait while the editor does not read. Then the session receives no more
// events, and the agent's pipe fills. The same happens while too many requests to the
// editor are open. Answers, requests, options and cancels never wait.
//
// # Goroutines
//
//   - one for each call that takes time (session/new, session/close); it may block on
//     the agent, and Close waits for it;
//   - one for each session, as above; it ends when the session is closed;
//   - one for each snapshot of the files that a call writes, at most one per session.
//     It ends when the files are read or the session stops waiting. If the file system
//     blocks, it ends when that answers.
//
// # Parts
//
// A [session] is a goroutine plus the parts it needs; each part owns its state. The
// parts that other goroutines use have their own locks: [loop], [queue], [choices],
// [setup], [memory] and the journal's recorder. All others belong to the session's
// goroutine. No part calls another while it holds its lock, except for [loop.wake],
// which takes no lock.
//
// # Files
//
// A call that writes a file is shown with the resulting diff; see [snapshots]. The session
// waits for the file, but not long, and not after a cancel. Nothing that follows the
// call in its stream overtakes it.
//
// # Consent
//
// Consent is never inferred. A tool is permitted only by the selected id of an offered
// option that allows it. An error, a cancel, an unknown id, a late answer or EOF
// refuses, and the agent is told.
//
// After a cancel is read, no later message permits anything. The reader records a
// cancel and tells the agent under the lock of the session's queue. Answers are passed
// on under the same lock (see [queue.permit]), so an answer that permits reaches the
// agent before the cancel, or not at all.
//
// Every agent request gets exactly one answer. A request is refused if it cannot be
// read, belongs to no running turn, or could claim the answer to another open request.
// The reason is logged and included in the answer.
//
// # The end
//
// When the source is stopped, it ends the open tool calls and answers every prompt as
// cancelled, at once. It closes the agents after that.
package events
