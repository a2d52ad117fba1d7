// Package agentao reaches an agent that runs Agentao (seed 001). Package wire
// decodes what it says.
//
// No server of Agentao's gives its events or relays its questions whole, so a
// small Python program (host) comes with this package. It runs Agentao in its
// own process, prints every event, and relays what Agentao waits for: the
// confirmation of a tool, a question, and whether to go on after many rounds.
// Only an answer that allows lets a tool run. A cancel, and the end of stdin,
// refuse all that is pending.
//
// A cancelled turn ends at once, also where Agentao comes back late from a tool
// or its model. The conversation is not lost with it: the next prompt waits, and
// after a while another Agentao in the same process goes on with the messages.
//
// The conversation is saved after each turn where Agentao's CLI saves its own, in
// the project's .agentao/sessions, and its session_id is the state that the
// session has. Another host goes on with it, and so does agentao --resume.
package agentao
