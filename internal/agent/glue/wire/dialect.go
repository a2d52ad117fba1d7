package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Dialect is Glue's dialect.
var Dialect = dialect.Table[stream]{
	Name: "glue",
	Forms: []dialect.Form[stream]{
		{Type: "type", Also: otherMembers, Is: isLive, Kinds: liveKinds},
		{Type: "type", Also: otherMembers, Prefix: "row:", Kinds: rowKinds},
		{Type: "type", Also: otherMembers, Prefix: "session:", Kinds: sessionKinds},
	},
	New:       newStream,
	Recognise: recognise,
	Unknown:   (*stream).unknown,
	OnText:    (*stream).noteText,
	End:       (*stream).end,
}.Compile().Dialect()

// otherMembers are the members in which known serializers of Dart classes write
// the type. Glue itself uses "type".
var otherMembers = []string{"event", "runtimeType", "runtime_type"}

// Indexes of the forms.
const (
	rowForm     = 1
	sessionForm = 2
)

type (
	handler = func(c *conversation, l *dialect.Line)
	kind    = dialect.Kind[stream]
)

// liveKinds are the AgentEvents, first with the names from Glue's
// serializeAgentEvent (packages/glue_harness/lib/src/agent/agent_manager.dart),
// then with those of its classes.
var liveKinds = []kind{
	live("assistant_message", agentText),
	live("assistant_thinking", agentThinking),
	live("tool_call_pending", callPending),
	live("tool_call", callMade),
	live("tool_result", callResult),
	live("usage", agentUsage),
	live("agent_notice", notice),
	live("agent_error", agentError),
	live("agent_done", agentDone),
	class("AgentTextDelta", agentText),
	class("AgentThinkingDelta", agentThinking),
	class("AgentToolCallPending", callPending),
	class("AgentToolCall", callMade),
	class("AgentToolResult", callResult),
	class("AgentUsage", agentUsage),
	class("AgentNotice", notice),
	class("AgentError", agentError),
	class("AgentDone", agentDone),
}

// rowKinds follows schemas/session/conversation-event-v1.schema.json.
var rowKinds = []kind{
	row("user_message", rowUserMessage),
	row("assistant_message", rowText),
	row("assistant_thinking", rowThinking),
	row("tool_call", callMade),
	row("tool_result", callResult),
	row("usage", rowUsage),
	row("title_generated", title),
	row("title_reevaluated", title),
	row("agent_notice", notice),
	row("subagent_spawned", rowSpawned),
	row("subagent_event", rowForwarded),
	row("subagent_usage", telemetry),
	row("subagent_completed", rowCompleted),
}

// sessionKinds follows the subclasses of SessionEvent
// (packages/glue_core/lib/src/session_event.dart).
var sessionKinds = []kind{
	session("UserMessageEvent", sessionUserMessage),
	session("AssistantThinkingStartedEvent", thinkingStarted),
	session("AssistantChunkEvent", chunk),
	session("AssistantMessageEvent", wholeMessage),
	session("AssistantThinkingCompletedEvent", thinkingCompleted),
	session("ToolCallStartedEvent", callStarted),
	session("ToolCallProgressEvent", callProgress),
	session("ToolCallCompletedEvent", callCompleted),
	session("PermissionRequestedEvent", permissionRequested),
	session("PermissionResolvedEvent", permissionResolved),
	session("SubagentSpawnedEvent", childSpawned),
	session("SubagentEventForwardedEvent", childForwarded),
	session("SubagentCompletedEvent", childCompleted),
	session("DeviceCodeRequestedEvent", deviceCodeRequested),
	session("DeviceCodeResolvedEvent", deviceCodeResolved),
	session("TurnStartedEvent", turnStarted),
	session("TurnCompletedEvent", turnCompleted),
	session("StatusChangeEvent", telemetry),
	session("TitleGeneratedEvent", title),
	session("MetricsUpdatedEvent", metricsUpdated),
	session("ErrorEvent", sessionError),
	session("McpServerConnectedEvent", telemetry),
	session("McpServerDisconnectedEvent", mcpDisconnected),
	session("McpServerErrorEvent", mcpError),
	session("McpServerAuthRequiredEvent", mcpAuthRequired),
	session("McpToolListChangedEvent", telemetry),
	session("RuntimeCommandStartedEvent", commandStarted),
	session("RuntimeCommandOutputEvent", commandOutput),
	session("RuntimeCommandCompletedEvent", commandCompleted),
	session("RuntimeCommandFailedEvent", commandFailed),
	session("RuntimeCommandCancelledEvent", commandCancelled),
	session("RuntimeContainerStartedEvent", telemetry),
	session("RuntimeContainerStoppedEvent", containerStopped),
}

// live returns the kind of an event that belongs to the conversation of the
// current line.
func live(name string, h handler) kind {
	return kind{Name: name, Decode: func(s *stream, l *dialect.Line) { h(s.current, l) }}
}

func row(name string, h handler) kind {
	return kind{Name: name, Decode: func(s *stream, l *dialect.Line) {
		s.rows = s.rows || s.current == &s.root
		h(s.current, l)
	}}
}

// class returns the kind of an event named after its class, which may also be in
// camelCase or snake_case.
func class(name string, h handler) kind {
	k := live(name, h)
	k.Also = []string{strings.ToLower(name[:1]) + name[1:], snake(name)}
	return k
}

// session returns the kind of an event in the contract, whose name may lack the
// suffix.
func session(name string, h handler) kind {
	k := live(name, h)
	k.Also = []string{strings.TrimSuffix(name, "Event")}
	return k
}

// snake converts the name of a Dart class to snake_case.
func snake(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// isLive reports whether an event is not a row of a file. Rows may share their
// names with AgentEvents, but are numbered or dated; those of old sessions only
// have the date.
func isLive(l *dialect.Line) bool {
	if !l.Top.Has("schema_version", "event_id", "sequence", "session_id", "timestamp") {
		return true
	}
	return !rowNames[typeOf(l.Top)]
}

var rowNames = namesOf(rowKinds)

func namesOf(kinds []kind) map[string]bool {
	names := make(map[string]bool, len(kinds))
	for _, k := range kinds {
		names[k.Name] = true
	}
	return names
}
