package wire

import (
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// signatures are names, and behind each the members without which an event of
// that name is not Glue's: the names in snake_case are common ones.
var signatures = [][]string{
	{"assistant_message", "text"},
	{"assistant_thinking", "text"},
	{"tool_call_pending", "id", "name"},
	{"tool_call", "id", "name", "arguments"},
	{"tool_result", "call_id", "success", "content"},
	{"usage", "input_tokens", "output_tokens"},
	{"agent_notice", "kind", "message"},
	{"agent_error", "error"},
	{"agent_done"},
	{"user_message", "text"},
	{"title_generated", "title"},
	{"title_reevaluated", "title"},
	{"subagent_spawned", "subagent_id", "task"},
	{"subagent_event", "subagent_id", "inner"},
	{"subagent_usage", "subagent_id"},
	{"subagent_completed", "subagent_id"},
}

// envelopes are members that no event of Glue's has, but those of others with
// such names do.
var envelopes = []string{"data", "payload", "seq", "runId", "messageId", "toolCallId"}

// recognise tells whether a line is an event of Glue's: a name that only Glue
// has, or a common one with the members of Glue's event and nothing foreign.
func recognise(line []byte) bool {
	name, named := "", false
	var members []string
	o := rawjson.Walk(line)
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		members = append(members, string(key))
		if slices.Contains(discriminators, string(key)) && (!named || string(key) == "type") {
			if s, err := rawjson.Parse(value); err == nil {
				name, named = s.String(), true
			}
		}
	}
	if o.Err() != nil || !named {
		return false
	}
	has := func(member string) bool { return slices.Contains(members, member) }
	if i := slices.IndexFunc(signatures, func(s []string) bool { return s[0] == name }); i >= 0 {
		row := has("event_id") && has("sequence") && has("schema_version")
		dated := has("timestamp")
		if agentHandlers.of(name) == nil && !row && !dated {
			return false // rows are dated at least
		}
		return !slices.ContainsFunc(envelopes, has) && !slices.ContainsFunc(signatures[i][1:], func(m string) bool { return !has(m) })
	}
	if slices.Contains(classNames, name) {
		return true
	}
	return kinds()[name].session && has("turnId") && has("sequence")
}
