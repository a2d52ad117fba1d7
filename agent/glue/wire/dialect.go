package wire

import (
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Dialect is Glue's dialect.
var Dialect = dialect.Dialect{
	Name:       "glue",
	Types:      types,
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder() },
}

// wireNames are the AgentEvents as Glue's serializeAgentEvent names them
// (packages/glue_harness/lib/src/agent/agent_manager.dart).
var wireNames = []string{
	"assistant_message", "assistant_thinking", "tool_call_pending", "tool_call", "tool_result",
	"usage", "agent_notice", "agent_error", "agent_done",
}

// classNames are the same as seed 003 names them, in the same order.
var classNames = []string{
	"AgentTextDelta", "AgentThinkingDelta", "AgentToolCallPending", "AgentToolCall", "AgentToolResult",
	"AgentUsage", "AgentNotice", "AgentError", "AgentDone",
}

// rowNames are the types of schemas/session/conversation-event-v1.schema.json.
var rowNames = []string{
	"user_message", "assistant_message", "assistant_thinking", "tool_call", "tool_result", "usage",
	"title_generated", "title_reevaluated", "agent_notice",
	"subagent_spawned", "subagent_event", "subagent_usage", "subagent_completed",
}

// sessionNames are the subclasses of SessionEvent
// (packages/glue_core/lib/src/session_event.dart).
var sessionNames = []string{
	"UserMessageEvent", "AssistantThinkingStartedEvent", "AssistantChunkEvent", "AssistantMessageEvent",
	"AssistantThinkingCompletedEvent", "ToolCallStartedEvent", "ToolCallProgressEvent", "ToolCallCompletedEvent",
	"PermissionRequestedEvent", "PermissionResolvedEvent",
	"SubagentSpawnedEvent", "SubagentEventForwardedEvent", "SubagentCompletedEvent",
	"DeviceCodeRequestedEvent", "DeviceCodeResolvedEvent",
	"TurnStartedEvent", "TurnCompletedEvent", "StatusChangeEvent", "TitleGeneratedEvent", "MetricsUpdatedEvent", "ErrorEvent",
	"McpServerConnectedEvent", "McpServerDisconnectedEvent", "McpServerErrorEvent", "McpServerAuthRequiredEvent", "McpToolListChangedEvent",
	"RuntimeCommandStartedEvent", "RuntimeCommandOutputEvent", "RuntimeCommandCompletedEvent", "RuntimeCommandFailedEvent", "RuntimeCommandCancelledEvent",
	"RuntimeContainerStartedEvent", "RuntimeContainerStoppedEvent",
}

func types() []string {
	return slices.Concat(wireNames, classNames, prefixed("row:", rowNames), prefixed("session:", sessionNames))
}

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return out
}
