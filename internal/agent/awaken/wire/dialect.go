package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// The indexes of the forms.
const (
	headForm = iota
	olderForm
	factForm
)

func definition() dialect.Table[State] {
	return dialect.Table[State]{
		Name: "awaken",
		Forms: []dialect.Form[State]{
			{Type: "event_type", Is: isHead, Kinds: headKinds},
			{Type: "type", Prefix: "v0:", Is: isOlder, Kinds: olderKinds()},
			{Type: "event_kind", Prefix: "fact:", Is: isFact, Kinds: factKinds()},
		},
		Before:    (*State).enter,
		Unknown:   (*State).byEvent,
		Recognise: recognise,
	}
}

// Dialect is Awaken's dialect, in all its forms.
var Dialect = definition().Compile().Dialect()

type kind = dialect.Kind[State]

// headKinds are the variants of AgentEvent in contract/event.rs.
var headKinds = []kind{
	{Name: "run_start", Decode: (*State).runStart},
	{Name: "run_finish", Decode: (*State).runFinish},
	{Name: "text_delta", Decode: (*State).textDelta},
	{Name: "reasoning_delta", Decode: reasoningDelta},
	{Name: "reasoning_encrypted_value", Decode: encrypted},
	{Name: "tool_call_start", Decode: (*State).toolStart},
	{Name: "tool_call_delta", Decode: argsDelta},
	{Name: "tool_call_ready", Decode: (*State).toolReady},
	{Name: "tool_call_done", Decode: (*State).toolDone},
	{Name: "tool_call_stream_delta", Decode: (*State).outputDelta},
	{Name: "tool_call_resumed", Decode: (*State).toolResumed},
	{Name: "tool_call_cancel", Decode: (*State).toolCancel},
	{Name: "stream_reset", Decode: (*State).streamReset},
	{Name: "step_start", Decode: stepStart},
	{Name: "step_end", Decode: stepEnd},
	{Name: "inference_complete", Decode: (*State).inferenceComplete},
	{Name: "messages_snapshot", Decode: messagesSnapshot},
	{Name: "activity_snapshot", Decode: (*State).activitySnapshot},
	{Name: "activity_delta", Decode: (*State).activityDelta},
	{Name: "state_snapshot", Decode: stateSnapshot},
	{Name: "state_delta", Decode: stateDelta},
	{Name: "error", Decode: (*State).failure},
}

// handlers are those of headKinds by their names.
var handlers = func() map[string]func(*State, *dialect.Line) {
	all := make(map[string]func(*State, *dialect.Line), len(headKinds))
	for _, k := range headKinds {
		all[k.Name] = k.Decode
	}
	return all
}()

// olderKinds are those of headKinds that the seed lists.
func olderKinds() (kinds []kind) {
	for _, k := range headKinds {
		switch k.Name {
		case "tool_call_stream_delta", "tool_call_cancel", "stream_reset":
		default:
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// factKinds are the kinds that the event store gives to AgentEvents, and those
// that the server's mailbox adds, whose payload is no AgentEvent.
func factKinds() (kinds []kind) {
	for _, name := range []string{
		"RunStarted", "RunResumed", "RunFinished", "RunSuspended", "RunCancelled", "RunErrored", "RunTerminated",
		"TextDeltaObserved", "ReasoningDeltaObserved", "ReasoningEncryptedValueObserved",
		"ToolCallStarted", "ToolCallDeltaObserved", "ToolCallReady", "ToolCallDone", "ToolCallSuspended",
		"ToolCallRejected", "ToolCallTimedOut", "ToolCallStreamDeltaObserved", "ToolCallResumed", "ToolCallCancelled",
		permissionRequested, "ToolPermissionResolved", "StreamReset", "StepStarted", "StepEnded",
		"InferenceComplete", "MessagesSnapshotObserved", "ActivitySnapshotObserved", "ActivityDeltaObserved",
		"StateSnapshotObserved", "StateDeltaObserved", "ErrorRecorded",
		"RunSubmitted", "RunQueued", "RunInterrupted", "RunRescheduled",
	} {
		kinds = append(kinds, kind{Name: name, Decode: (*State).byEvent})
	}
	return kinds
}

func isHead(l *dialect.Line) bool { return named(l.Top, "event_type") }

func isFact(l *dialect.Line) bool { return named(l.Top, "event_kind") && !isHead(l) }

func isOlder(l *dialect.Line) bool {
	return named(l.Top, "type") && !isHead(l) && !named(l.Top, "event_kind")
}

// recognise reports whether a line can only be Awaken's. Other dialects share the
// older form's type names, some even "data"; "run_id" with "thread_id", or a
// type that nobody else has, tells them apart.
func recognise(l *dialect.Line) bool {
	switch l.Form {
	case headForm:
		return true
	case factForm:
		name := object(l.Top, "payload").OptionalKey("event_type")
		return name == "" || handlers[name] != nil
	}
	if named(l.Top, "thread_id") && named(l.Top, "run_id") {
		return true
	}
	data := object(l.Top, "data")
	switch l.Name {
	case "inference_complete", "messages_snapshot":
		return data != nil
	case "text_delta":
		return asWritten(data, "delta") != nil
	}
	return data != nil && (strings.HasPrefix(l.Name, "tool_call_") || strings.HasPrefix(l.Name, "reasoning_"))
}

// byEvent decodes a fact by the event that it holds, and an event of the older
// form that the seed does not list.
func (s *State) byEvent(l *dialect.Line) {
	decode := handlers[s.event]
	switch {
	case decode != nil:
		decode(s, l)
	case s.event == "": // a fact of the server's own
		l.Emit(&agent.Telemetry{Name: l.Name, Data: asWritten(l.Top, "payload")})
	default:
		l.Emit(&agent.Unknown{Name: s.event, Raw: l.Unread()})
	}
}
