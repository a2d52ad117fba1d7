package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

var table = dialect.Table[state]{
	Name: "agentao",
	Forms: []dialect.Form[state]{
		{Type: "type", Body: "data", Kinds: eventKinds},
		{Type: "kind", Body: "payload", Prefix: replayPrefix, Is: isRow, Kinds: replayKinds},
		{Type: "type", Kinds: hostKinds},
	},
	Recognise: recognise,
	Unknown:   unknown,
	OnText:    func(s *state, text agent.Text) { s.answer.add(rawjson.Body(text)) },
}.Compile()

// Indexes of the forms.
const (
	replayForm = 1
	hostForm   = 2
)

const replayPrefix = "replay:"

// Dialect decodes Agentao's events, replay files and host lines.
var Dialect = table.Dialect()

type kind = dialect.Kind[state]

// eventKinds follows EventType in agentao/transport/events.py.
var eventKinds = []kind{
	{Name: "turn_begin", Decode: (*state).turnBegin},
	{Name: "turn_start", Decode: (*state).turnStart},
	{Name: "turn_end", Decode: (*state).turnEnd},
	{Name: "llm_text", Decode: (*state).textChunk},
	{Name: "thinking", Decode: (*state).thinking},
	{Name: "tool_confirmation", Decode: (*state).toolConfirmation},
	{Name: "tool_start", Decode: (*state).toolStart},
	{Name: "tool_output", Decode: (*state).toolOutput},
	{Name: "tool_complete", Decode: (*state).toolComplete},
	{Name: "tool_result", Decode: (*state).toolResult},
	{Name: "agent_start", Decode: (*state).agentStart},
	{Name: "agent_end", Decode: (*state).agentEnd},
	{Name: "error", Event: failure},
	{Name: "llm_call_started", Decode: (*state).callStarted},
	{Name: "llm_call_completed", Decode: (*state).callCompleted},
	{Name: "llm_call_delta", Event: telemetry},
	{Name: "llm_call_io", Event: telemetry},
	{Name: "ask_user_requested", Decode: (*state).askRequested},
	{Name: "ask_user_answered", Decode: (*state).askAnswered},
	{Name: "background_notification_injected", Event: background},
	{Name: "context_compressed", Decode: (*state).compressed},
	{Name: "session_summary_written", Event: telemetry},
	{Name: "skill_activated", Event: telemetry},
	{Name: "skill_deactivated", Event: telemetry},
	{Name: "memory_write", Event: telemetry},
	{Name: "memory_delete", Event: telemetry},
	{Name: "memory_cleared", Event: telemetry},
	{Name: "model_changed", Decode: modelChanged},
	{Name: "permission_mode_changed", Decode: modeChanged},
	{Name: "readonly_mode_changed", Event: readonlyChanged},
	{Name: "plugin_hook_fired", Event: telemetry},
}

// replayKinds follows EventKind in agentao/replay/events.py.
var replayKinds = []kind{
	{Name: "replay_header", Event: telemetry},
	{Name: "replay_footer", Event: telemetry},
	{Name: "session_started", Event: telemetry},
	{Name: "session_ended", Event: telemetry},
	{Name: "session_saved", Event: telemetry},
	{Name: "session_loaded", Event: telemetry},
	{Name: "session_forked", Event: telemetry},
	{Name: "turn_started", Decode: (*state).turnBegin},
	{Name: "user_message", Event: telemetry},
	{Name: "turn_completed", Decode: (*state).turnEnd},
	{Name: "assistant_text_chunk", Decode: (*state).textChunk},
	{Name: "assistant_thought_chunk", Decode: (*state).thinking},
	{Name: "tool_confirmation_requested", Decode: (*state).toolConfirmation},
	{Name: "tool_confirmation_resolved", Decode: (*state).confirmationResolved},
	{Name: "tool_started", Decode: (*state).toolStart},
	{Name: "tool_output_chunk", Decode: (*state).toolOutput},
	{Name: "tool_completed", Decode: (*state).toolComplete},
	{Name: "tool_result", Decode: (*state).toolResult},
	{Name: "subagent_started", Decode: (*state).agentStart},
	{Name: "subagent_completed", Decode: (*state).agentEnd},
	{Name: "error", Event: failure},
	{Name: "llm_call_started", Decode: (*state).callStarted},
	{Name: "llm_call_completed", Decode: (*state).callCompleted},
	{Name: "llm_call_delta", Event: telemetry},
	{Name: "llm_call_io", Event: telemetry},
	{Name: "ask_user_requested", Decode: (*state).askRequested},
	{Name: "ask_user_answered", Decode: (*state).askAnswered},
	{Name: "background_notification_injected", Event: background},
	{Name: "context_compressed", Decode: (*state).compressed},
	{Name: "session_summary_written", Event: telemetry},
	{Name: "skill_activated", Event: telemetry},
	{Name: "skill_deactivated", Event: telemetry},
	{Name: "memory_write", Event: telemetry},
	{Name: "memory_delete", Event: telemetry},
	{Name: "memory_cleared", Event: telemetry},
	{Name: "model_changed", Decode: modelChanged},
	{Name: "permission_mode_changed", Decode: modeChanged},
	{Name: "readonly_mode_changed", Event: readonlyChanged},
	{Name: "plugin_hook_fired", Event: telemetry},
	{Name: "tool_lifecycle", Decode: (*state).toolLifecycle},
	{Name: "subagent_lifecycle", Decode: (*state).subagentLifecycle},
	{Name: "permission_decision", Decode: (*state).permissionDecision},
}

// hostKinds are the lines that the host prints in addition to Agentao's
// events.
var hostKinds = []kind{
	{Name: "host.ready", Decode: hosted((*state).hostReady)},
	{Name: "host.hello", Event: hostHello},
	{Name: "host.notice", Event: hostNotice},
	{Name: "host.state", Event: hostState},
	{Name: "host.mode", Event: hostMode},
	{Name: "host.model", Event: hostModel},
	{Name: "host.refused", Event: hostRefused},
	{Name: "host.confirm", Decode: hosted((*state).hostConfirm), Refuse: refuseConfirm},
	{Name: "host.ask", Decode: hosted((*state).hostAsk), Refuse: refuseQuestion},
	{Name: "host.max_iterations", Decode: hosted((*state).hostMaxIterations), Refuse: refuseQuestion},
	{Name: "host.error", Decode: hosted((*state).hostError)},
	{Name: "host.done", Decode: hosted((*state).hostDone)},
}

// hosted records that the lines come from the host.
func hosted(decode func(s *state, l *dialect.Line)) func(s *state, l *dialect.Line) {
	return func(s *state, l *dialect.Line) {
		s.hosted = true
		decode(s, l)
	}
}

func isRow(l *dialect.Line) bool { return !l.Top.Has("type") }

// recognise claims lines that have both the shape and a name of this dialect.
// Many agents have a "tool_start", and some have "data", but only Agentao has
// both. An "error" is common to all, so it needs the version too.
func recognise(l *dialect.Line) bool {
	if l.Form == hostForm {
		return true
	}
	number := l.Top.Raw("schema_version", "seq")
	numbered := len(number) > 0 && number[0] >= '0' && number[0] <= '9'
	return l.Fields != nil && (numbered || l.Form != replayForm && l.Name != "error")
}

func unknown(_ *state, l *dialect.Line) {
	name := l.Name
	if l.Form == replayForm {
		name = replayPrefix + name
	}
	l.Emit(&agent.Unknown{Name: name, Raw: l.Unread()})
}
