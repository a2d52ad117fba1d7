package wire

import (
	"slices"
	"strings"
	"sync"
)

// A handler decodes an event of one type. What it yields goes to c; what is
// wrong with the event is noted in f.
type handler func(c *conversation, f *fields)

// handlers are those of a vocabulary, each with the name of its type.
type handlers []named

type named struct {
	name   string
	handle handler
}

// of is nil for a name that the vocabulary does not have.
func (h handlers) of(name string) handler {
	for i := range h {
		if h[i].name == name {
			return h[i].handle
		}
	}
	return nil
}

// discriminators are the members that may name the type, in the order in which
// they count: "type" is what Glue writes; the others are what serializers of
// Dart classes are known to write.
var discriminators = []string{"type", "event", "runtimeType"}

var agentHandlers = handlers{
	{"assistant_message", agentText},
	{"assistant_thinking", agentThinking},
	{"tool_call_pending", callPending},
	{"tool_call", callMade},
	{"tool_result", callResult},
	{"usage", agentUsage},
	{"agent_notice", notice},
	{"agent_error", agentError},
	{"agent_done", agentDone},
}

var rowHandlers = handlers{
	{"user_message", rowUserMessage},
	{"assistant_message", rowText},
	{"assistant_thinking", rowThinking},
	{"tool_call", callMade},
	{"tool_result", callResult},
	{"usage", rowUsage},
	{"title_generated", title},
	{"title_reevaluated", title},
	{"agent_notice", notice},
	{"subagent_spawned", rowSpawned},
	{"subagent_event", rowForwarded},
	{"subagent_usage", telemetry},
	{"subagent_completed", rowCompleted},
}

// sessionHandlers is no variable because sub-agents' events make the handlers
// refer to it.
func sessionHandlers() handlers {
	return handlers{
		{"UserMessageEvent", sessionUserMessage},
		{"AssistantThinkingStartedEvent", thinkingStarted},
		{"AssistantChunkEvent", chunk},
		{"AssistantMessageEvent", wholeMessage},
		{"AssistantThinkingCompletedEvent", thinkingCompleted},
		{"ToolCallStartedEvent", callStarted},
		{"ToolCallProgressEvent", callProgress},
		{"ToolCallCompletedEvent", callCompleted},
		{"PermissionRequestedEvent", permissionRequested},
		{"PermissionResolvedEvent", permissionResolved},
		{"SubagentSpawnedEvent", childSpawned},
		{"SubagentEventForwardedEvent", childForwarded},
		{"SubagentCompletedEvent", childCompleted},
		{"DeviceCodeRequestedEvent", deviceCodeRequested},
		{"DeviceCodeResolvedEvent", deviceCodeResolved},
		{"TurnStartedEvent", turnStarted},
		{"TurnCompletedEvent", turnCompleted},
		{"StatusChangeEvent", telemetry},
		{"TitleGeneratedEvent", title},
		{"MetricsUpdatedEvent", metricsUpdated},
		{"ErrorEvent", sessionError},
		{"McpServerConnectedEvent", telemetry},
		{"McpServerDisconnectedEvent", mcpDisconnected},
		{"McpServerErrorEvent", mcpError},
		{"McpServerAuthRequiredEvent", mcpAuthRequired},
		{"McpToolListChangedEvent", telemetry},
		{"RuntimeCommandStartedEvent", commandStarted},
		{"RuntimeCommandOutputEvent", commandOutput},
		{"RuntimeCommandCompletedEvent", commandCompleted},
		{"RuntimeCommandFailedEvent", commandFailed},
		{"RuntimeCommandCancelledEvent", commandCancelled},
		{"RuntimeContainerStartedEvent", telemetry},
		{"RuntimeContainerStoppedEvent", containerStopped},
	}
}

// A kind is what is known of a type name.
type kind struct {
	handle  handler
	pieces  bool // its text may end within a character
	session bool // of the session contract
	row     bool // of a conversation.jsonl
}

// known holds the kinds by name, rows under "row:…". It is made when it is
// first needed: editors wait for a program to start.
var known struct {
	once  sync.Once
	kinds map[string]kind
}

func kinds() map[string]kind {
	known.once.Do(func() {
		m := make(map[string]kind)
		for i, class := range classNames {
			wire := wireNames[i]
			k := kind{handle: agentHandlers.of(wire), pieces: i < 2}
			for _, name := range []string{wire, class, strings.ToLower(class[:1]) + class[1:], snake(class)} {
				m[name] = k
			}
		}
		for _, row := range rowHandlers {
			m["row:"+row.name] = kind{handle: row.handle, row: true}
		}
		for _, event := range sessionHandlers() {
			pieces := event.name == "AssistantChunkEvent" || event.name == "RuntimeCommandOutputEvent"
			k := kind{handle: event.handle, pieces: pieces, session: true}
			m[event.name], m[strings.TrimSuffix(event.name, "Event")] = k, k
		}
		known.kinds = m
	})
	return known.kinds
}

// find returns what is known of the type of an event: a name that both an
// AgentEvent and a row have is a row where the event is numbered or dated.
func find(name string, f *fields) (kind, bool) {
	if rowHandlers.of(name) != nil && (agentHandlers.of(name) == nil || f.isRow()) {
		name = "row:" + name
	}
	k, known := kinds()[name]
	return k, known
}

// isRow tells whether an event has what only the rows of a file have. Rows of
// old sessions have nothing but the date.
func (f *fields) isRow() bool {
	return slices.ContainsFunc([]string{"schema_version", "event_id", "sequence", "session_id", "timestamp"}, f.has)
}

// snake turns the name of a Dart member or class into snake_case.
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
