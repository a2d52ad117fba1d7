package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Indexes of the forms.
const (
	bareForm = iota
	rpcForm
	pushForm
)

var table = dialect.Table[state]{
	Name: "ethos",
	Forms: []dialect.Form[state]{
		bareForm: {Type: "type", Kinds: native.Kinds((*state).event)},
		rpcForm: {Prefix: "jsonrpc:", Name: rpcName, Kinds: []dialect.Kind[state]{
			{Name: "stream", Decode: (*state).stream},
			{Name: "result", Decode: (*state).result},
			{Name: "error", Decode: (*state).refusal},
		}},
		pushForm: {Type: "type", Kinds: pushes},
	},
	New:       newState,
	Recognise: recognise,
	Unknown:   unknown,
}.Compile()

// Dialect decodes the output of Ethos.
var Dialect = listed(table.Dialect())

// coreTypes lists the members of the current AgentEvent in Ethos. Older
// versions have only the first eleven.
var coreTypes = []string{
	"run_start", "context_meta", "text_delta", "thinking_delta",
	"tool_start", "tool_progress", "tool_end", "usage", "error", "done",
	"halt", "dry_run_summary", "tool_approval_required", "tool_approval_response",
	"evaluators_complete", "credential_required", "notification_received",
}

// listed restricts the listed native events to those that Ethos has.
func listed(d dialect.Dialect) dialect.Dialect {
	all := d.Types
	d.Types = func() []string { return slices.Concat(coreTypes, all()[len(agent.Variants()):]) }
	return d
}

// recognise accepts lines that no other dialect writes. Bare AgentEvents are
// left to the native dialect, which includes them.
func recognise(l *dialect.Line) bool {
	switch l.Form {
	case rpcForm:
		var first struct {
			ServerName any `json:"serverName"`
		}
		return l.Name == "stream" || exactjson.Unmarshal(l.Raw("result"), &first) == nil && first.ServerName == "ethos"
	case pushForm:
		return l.Name != "notification"
	}
	return false
}

// unknown emits an unknown event, or a request or notification without an event.
func unknown(_ *state, l *dialect.Line) {
	if l.Form != rpcForm {
		native.EmitUnknown(l)
		return
	}
	l.Emit(&agent.Telemetry{Name: l.String("method"), Data: l.Unread()})
}
