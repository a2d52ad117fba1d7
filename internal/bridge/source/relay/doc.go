// Package relay is the source of an agent that speaks the Agent Client Protocol itself:
// it passes on what the agent and the client say as it is.
//
// # Contract
//
// Every method, notification and member passes, known or not, in both
// directions. The agent is one process, started for "initialize", or one
// connection with a server; all sessions of the editor are in it. Only an agent
// whose tools work in its process's folder has a process for each folder.
//
// What is changed:
//
//   - the ids of requests; sessions' ids where an agent that
//     was started anew has given a session another one;
//   - the agent's name in the answer to "initialize", which has Turnwire's too;
//   - logins in a terminal, which are taken from the answers of a server: a
//     client would run them on the wrong machine;
//   - what breaks a rule of the protocol that editors rely on. [Repair] lists
//     these. Each is logged, and counted. What only one known agent does is in a
//     table of package quirks.
//
// Consent. An answer to a permission request is passed on if it names an option
// that the agent has offered. Once a cancel is read, the agent is told
// "cancelled" for all that it asks in that session, and in those of its
// sub-agents, until the prompt is answered, and what would permit something and
// is not written yet becomes a refusal.
//
// The agent's end fails what waits for it, with the reason. The next request
// starts it anew. A session is resumed or loaded there if the agent can do so;
// else the session is a new one, and the user is told.
//
// Back-pressure. Updates and requests of the agent wait while the editor does
// not read, and then the agent waits. What the editor sends is queued for the
// agent, within bounds.
//
// # Concurrency
//
// The view calls for what the client says, and one goroutine reads the agent. What both
// know is guarded by one mutex, which is not held while something waits. Whoever answers a prompt
// in the agent's place first closes the session's gate, so that no update that
// is on its way comes after the answer.
package relay
