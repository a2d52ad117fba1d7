// Package wire decodes the AgentEvents of Agentao (seed 001).
//
// Three vocabularies come as lines, told apart by their members:
//
//   - events, {"type","schema_version","data"}, as AgentEvent.to_dict gives
//     them; seed 001 has no schema_version and adds "ts";
//   - rows of a replay file, {"seq","kind","payload",…}, in the versions 1.0 to
//     1.2 of its schema. At its head Agentao records of tools only that they
//     began and ended (tool_lifecycle);
//   - lines of the host, whose types begin with "host.".
//
// The decoder remembers what pairs things that have no id: which calls, helper
// agents and approvals are open, and what the model has said in its last
// answer. All of it is bounded, and forgotten at the end of a turn.
//
// Agentao says that a call has ended before it says what came of it: the
// results of a batch follow the last end of the batch, and only they tell that
// a tool has failed (its status is "ok", its text begins with "Error"). So a
// good end waits for its result, a failed or refused one does not, nor does
// that of a helper agent's call, which has no result. A pending end is emitted
// when the model speaks again.
package wire
