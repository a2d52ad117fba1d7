package agentao

// A handler decodes the data of a line of a type.
type handler func(d *decoder, name string, data []byte) error

// A kind is a type of line and what is done with it.
type kind struct {
	name   string
	handle handler
}

// kinds are all types: the members of EventType in agentao/transport/events.py,
// then those of EventKind in agentao/replay/events.py, then the host's.
var kinds = []kind{
	{"turn_begin", (*decoder).turnBegin},
	{"turn_start", (*decoder).turnStart},
	{"turn_end", (*decoder).turnEnd},
	{"llm_text", (*decoder).textChunk},
	{"thinking", (*decoder).thinking},
	{"tool_confirmation", (*decoder).toolConfirmation},
	{"tool_start", (*decoder).toolStart},
	{"tool_output", (*decoder).toolOutput},
	{"tool_complete", (*decoder).toolComplete},
	{"tool_result", (*decoder).toolResult},
	{"agent_start", (*decoder).agentStart},
	{"agent_end", (*decoder).agentEnd},
	{"error", (*decoder).failure},
	{"llm_call_started", (*decoder).callStarted},
	{"llm_call_completed", (*decoder).callCompleted},
	{"llm_call_delta", (*decoder).telemetry},
	{"llm_call_io", (*decoder).telemetry},
	{"ask_user_requested", (*decoder).askRequested},
	{"ask_user_answered", (*decoder).askAnswered},
	{"background_notification_injected", (*decoder).background},
	{"context_compressed", (*decoder).compressed},
	{"session_summary_written", (*decoder).telemetry},
	{"skill_activated", (*decoder).telemetry},
	{"skill_deactivated", (*decoder).telemetry},
	{"memory_write", (*decoder).telemetry},
	{"memory_delete", (*decoder).telemetry},
	{"memory_cleared", (*decoder).telemetry},
	{"model_changed", (*decoder).modelChanged},
	{"permission_mode_changed", (*decoder).modeChanged},
	{"readonly_mode_changed", (*decoder).readonlyChanged},
	{"plugin_hook_fired", (*decoder).telemetry},

	{"replay:replay_header", (*decoder).telemetry},
	{"replay:replay_footer", (*decoder).telemetry},
	{"replay:session_started", (*decoder).telemetry},
	{"replay:session_ended", (*decoder).telemetry},
	{"replay:session_saved", (*decoder).telemetry},
	{"replay:session_loaded", (*decoder).telemetry},
	{"replay:session_forked", (*decoder).telemetry},
	{"replay:turn_started", (*decoder).turnBegin},
	{"replay:user_message", (*decoder).telemetry},
	{"replay:turn_completed", (*decoder).turnEnd},
	{"replay:assistant_text_chunk", (*decoder).textChunk},
	{"replay:assistant_thought_chunk", (*decoder).thinking},
	{"replay:tool_confirmation_requested", (*decoder).toolConfirmation},
	{"replay:tool_confirmation_resolved", (*decoder).confirmationResolved},
	{"replay:tool_started", (*decoder).toolStart},
	{"replay:tool_output_chunk", (*decoder).toolOutput},
	{"replay:tool_completed", (*decoder).toolComplete},
	{"replay:tool_result", (*decoder).toolResult},
	{"replay:subagent_started", (*decoder).agentStart},
	{"replay:subagent_completed", (*decoder).agentEnd},
	{"replay:error", (*decoder).failure},
	{"replay:llm_call_started", (*decoder).callStarted},
	{"replay:llm_call_completed", (*decoder).callCompleted},
	{"replay:llm_call_delta", (*decoder).telemetry},
	{"replay:llm_call_io", (*decoder).telemetry},
	{"replay:ask_user_requested", (*decoder).askRequested},
	{"replay:ask_user_answered", (*decoder).askAnswered},
	{"replay:background_notification_injected", (*decoder).background},
	{"replay:context_compressed", (*decoder).compressed},
	{"replay:session_summary_written", (*decoder).telemetry},
	{"replay:skill_activated", (*decoder).telemetry},
	{"replay:skill_deactivated", (*decoder).telemetry},
	{"replay:memory_write", (*decoder).telemetry},
	{"replay:memory_delete", (*decoder).telemetry},
	{"replay:memory_cleared", (*decoder).telemetry},
	{"replay:model_changed", (*decoder).modelChanged},
	{"replay:permission_mode_changed", (*decoder).modeChanged},
	{"replay:readonly_mode_changed", (*decoder).readonlyChanged},
	{"replay:plugin_hook_fired", (*decoder).telemetry},
	{"replay:tool_lifecycle", (*decoder).toolLifecycle},
	{"replay:subagent_lifecycle", (*decoder).subagentLifecycle},
	{"replay:permission_decision", (*decoder).permissionDecision},

	{"host.ready", (*decoder).hostReady},
	{"host.confirm", (*decoder).hostConfirm},
	{"host.ask", (*decoder).hostAsk},
	{"host.max_iterations", (*decoder).hostMaxIterations},
	{"host.error", (*decoder).hostError},
	{"host.done", (*decoder).hostDone},
}

var handlers = byName(kinds)

func byName(kinds []kind) map[string]handler {
	m := make(map[string]handler, len(kinds))
	for _, k := range kinds {
		m[k.name] = k.handle
	}
	return m
}
