// Package agentao connects to an agent that runs Agentao. Package wire
// decodes its events.
//
// No Agentao server sends all of its events or relays all of its questions, so
// this package contains a small Python program (host). It runs Agentao in its own
// process, prints every event, and relays the requests that Agentao waits for:
// tool confirmations, questions, and whether to continue after many rounds. Only
// an answer that allows lets a tool run. A cancel, or EOF on stdin, refuses
// everything that is pending.
//
// A cancelled turn ends at once, even if Agentao returns late from a tool or its
// model. The conversation survives: the next prompt waits, and after a timeout
// another Agentao in the same process continues with the messages.
//
// The conversation is saved after each turn where Agentao's CLI saves its own, in
// the project's .agentao/sessions. Its session_id is the session's state. Another
// host can continue it, and so can agentao --resume.
package agentao
