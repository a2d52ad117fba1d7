package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// required lists the members that an event with this name must have to be
// Glue's, because the snake_case names are common.
var required = map[string][]string{
	"assistant_message":  {"text"},
	"assistant_thinking": {"text"},
	"tool_call_pending":  {"id", "name"},
	"tool_call":          {"id", "name", "arguments"},
	"tool_result":        {"call_id", "success", "content"},
	"usage":              {"input_tokens", "output_tokens"},
	"agent_notice":       {"kind", "message"},
	"agent_error":        {"error"},
	"agent_done":         {},
	"user_message":       {"text"},
	"title_generated":    {"title"},
	"title_reevaluated":  {"title"},
	"subagent_spawned":   {"subagent_id", "task"},
	"subagent_event":     {"subagent_id", "inner"},
	"subagent_usage":     {"subagent_id"},
	"subagent_completed": {"subagent_id"},
}

// foreign are members that no event of Glue has, but that other agents' events
// with such names have.
var foreign = []string{"data", "payload", "seq", "runId", "messageId", "toolCallId"}

// recognise reports whether an event can only be Glue's: by a name that only
// Glue uses, or by a common name with the members of Glue's event and no
// foreign ones.
func recognise(l *dialect.Line) bool {
	members, common := required[l.Name]
	switch {
	case l.Form == sessionForm:
		return l.Has("turnId") && l.Has("sequence")
	case !common:
		return typeOf(l.Top) == l.Name
	case l.Form == rowForm && !l.Has("timestamp") && (!l.Has("event_id") || !l.Has("sequence") || !l.Has("schema_version")):
		return false // rows have at least a timestamp
	}
	absent := func(member string) bool { return !l.Has(member) }
	return !l.Has(foreign...) && !slices.ContainsFunc(members, absent)
}
