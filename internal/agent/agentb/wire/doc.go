// Package wire decodes the events of the AgentB framework.
//
// An event is an object with type, timestamp, runId, threadId and data. What
// the framework sends differs from its documentation:
//
//   - A call appears in four to six events. The first of them starts it,
//     because agent.tool.execution.started arrives after the tool has run.
//   - thread.run.requires_action precedes every round of tools, which the agent
//     then runs itself. It is a pause only if the status requires_action
//     follows.
//   - A run that fails may report it twice, and a cancelled run only by its
//     status.
//   - The text of a message arrives in pieces, again when the message is
//     complete, and again when the run is. It is shown once, from the first
//     source that has it.
//   - Results have debugging metadata, including the whole run of a sub-agent,
//     and errors include the headers of the model's provider. The decoder drops
//     these, except for the tool calls of a sub-agent.
package wire
