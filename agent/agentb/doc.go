// Package agentb reaches agents that are made with the AgentB framework
// (@ulifeai/agentb): it decodes their events, and drives the HTTP handler that
// streams them.
//
// # Dialect
//
// An event is an object with type, timestamp, runId, threadId and data (seed
// 004). What the framework sends differs from what its document lets expect,
// and the decoder knows it:
//
//   - a call is told of four to six times. The first of them begins it, for
//     agent.tool.execution.started comes when the tool has already run;
//   - thread.run.requires_action stands before every round of tools, which the
//     agent then runs itself. It is a pause only where the status
//     requires_action follows;
//   - a run that fails may say so twice, one that is cancelled only by its
//     status;
//   - the text of a message comes in pieces, again when the message is
//     complete, and again when the run is. It is shown once, wherever it came
//     first;
//   - results carry metadata for debugging, with the whole run of a sub-agent,
//     and errors carry the headers of the model's provider. Neither leaves the
//     decoder; of a sub-agent's run only its tool calls do.
//
// # Driver
//
// A prompt is a POST that is answered with server-sent events. The server
// chooses the thread, and replaces one that it does not know: the driver goes
// on in the thread that the stream names. The handler has no route to cancel a
// run or to give it the outputs of tools. A cancel therefore closes the
// stream, and a paused run ends the turn, unless the host of the agent has
// added such routes and they are configured.
package agentb
