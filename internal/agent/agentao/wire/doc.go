// Package wire decodes the AgentEvents of Agentao.
//
// Lines come in three vocabularies, distinguished by their members:
//
//   - events, {"type","schema_version","data"}, as produced by
//     AgentEvent.to_dict. Seed 001 has no schema_version, and adds "ts";
//   - rows of a replay file, {"seq","kind","payload",…}, in versions 1.0 to
//     1.2 of its schema. Current Agentao records only the start and the end of
//     tools (tool_lifecycle);
//   - lines from the host, whose types begin with "host.".
//
// The decoder's state pairs events that have no id: open calls, helper agents
// and approvals, and the text of the model's last answer. All of it is
// bounded, and dropped at the end of a turn.
//
// Agentao reports that a call has ended before it reports the result: the
// results of a batch follow the batch's last end, and only they tell whether a
// tool failed (its status is "ok", its text begins with "Error"). So a
// successful end waits for its result. A failed or refused end does not, nor
// does the end of a helper agent's call, which has no result. A pending end is
// emitted when the model sends more output.
package wire
