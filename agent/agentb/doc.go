// Package agentb reaches agents that are made with the AgentB framework
// (@ulifeai/agentb) through the HTTP handler that streams their events. Package
// wire decodes those.
//
// A prompt is a POST that is answered with server-sent events. The server
// chooses the thread, and replaces one that it does not know: the driver goes
// on in the thread that the stream names. The handler has no route to cancel a
// run or to give it the outputs of tools. A cancel therefore closes the
// stream, and a paused run ends the turn, unless the host of the agent has
// added such routes and they are configured.
package agentb
