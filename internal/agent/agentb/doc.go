// Package agentb is the driver for agents made with the AgentB framework
// (@ulifeai/agentb). It uses the HTTP handler that streams their events, which
// package wire decodes.
//
// A prompt is a POST request, and the response is a stream of server-sent
// events. The server chooses the thread, and replaces an unknown one. The
// driver continues in the thread that the stream names. The handler has no
// route to cancel a run or to submit tool outputs. The agent's host may add
// such routes. If they are not configured, a cancel closes the stream, and a
// paused run ends the turn.
package agentb
