// Package agentao reaches an agent that runs Agentao (seed 001). Package wire
// decodes what it says.
//
// No server of Agentao's gives its events or relays its questions whole, so a
// small Python program (host.py) comes with this package. It runs Agentao in
// its own process, prints every event, and relays what Agentao waits for: the
// confirmation of a tool, a question, and whether to go on after many rounds.
// Only an answer that allows lets a tool run. A cancel, and the end of stdin,
// refuse all that is pending.
package agentao
