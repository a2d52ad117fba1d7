// Package wire decodes the events of the AgentB framework (seed 004).
//
// An event is an object with type, timestamp, runId, threadId and data. What
// the framework sends differs from what its document lets expect, and the
// decoder knows it:
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
package wire
