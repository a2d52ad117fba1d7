// Package agentb is the driver for agents that are made with the AgentB
// framework (@ulifeai/agentb). It uses the HTTP handler that streams their
// events, which package wire decodes.
//
// A prompt is a POST request that is answered with server-sent events. The
// server chooses the thread, and replaces one that it does not know. The driver
// continues in the thread that the stream names. The handler has no route to
// cancel a run or to give it the outputs of tools. Unless the host of the agent
// has added such routes and they are configured, a cancel therefore closes the
// stream, and a paused run ends the turn.
package agentb
