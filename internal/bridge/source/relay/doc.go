// Package relay is the source for an agent that speaks the Agent Client Protocol
// itself: it passes messages between the agent and the client unchanged.
//
// # Contract
//
// Every method, notification and member passes in both directions, known or not. The
// agent is one process, started for "initialize", or one connection to a server. It has
// all of the editor's sessions. Only an agent whose tools work in its process's folder
// gets one process per folder.
//
// What is changed:
//
//   - the ids of requests, and the ids of sessions to which a restarted agent gave a
//     new id;
//   - the agent's name in the initialize response, which Turnwire's name is added to;
//   - terminal logins, which are removed from a server's responses: a client would run
//     them on the wrong machine;
//   - messages that break a protocol rule that editors rely on. [Repair] lists these
//     repairs. Each is logged and counted. Deviations of one known agent are in a table
//     of package quirks.
//
// Consent. An answer to a permission request is passed on if it names an option that
// the agent offered. After a cancel is read, every request for consent in that session
// and its sub-agents is answered as cancelled, until the prompt is answered. An answer
// that permits something and was not written yet becomes a refusal. If the user accepts a
// part of a change, the agent's call is rejected, the relay writes the part, and a prompt
// within the same turn tells the agent; see package partial.
//
// When the agent ends, all pending requests fail with the reason. The next request
// restarts it. It then resumes or loads the session if it can; otherwise it opens a new
// session, and the user is told.
//
// Back-pressure. The agent's updates and requests wait while the editor does not read,
// and so the agent waits. The editor's messages are queued for the agent, within
// bounds.
//
// # Concurrency
//
// The view calls the source for each client message, and one goroutine reads the agent.
// One mutex guards the shared state; it is not held while anything blocks. What may wait for
// the store of saved sessions runs in other goroutines, as Work of package journal. Code that
// answers a prompt on the agent's behalf first closes the session's gate, so that no
// update in flight follows the response.
package relay
