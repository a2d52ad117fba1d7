package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Indexes of the forms.
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

// Dialect decodes Awaken's events in all forms.
var Dialect = definition().Compile().Dialect()

type kind = dialect.Kind[State]

// headKinds follows the variants of AgentEvent in contract/event.rs.
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

// handlers maps the names of headKinds to their decoders.
var handlers = func() map[string]func(*State, *dialect.Line) {
	all := make(map[string]func(*State, *dialect.Line), len(headKinds))
	for _, k := range headKinds {
		all[k.Name] = k.Decode
	}
	return all
}()

// olderKinds are those headKinds that the older form has.
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

// factKinds are the event kinds that the event store assigns to AgentEvents, and
// those of the server's mailbox, whose payload is not an AgentEvent.
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
// older form's type names, and some even "data". They differ in "run_id" with
// "thread_id", or in a type that only Awaken has.
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

// byEvent decodes a fact according to the event in it, and events in the older
// form that it doesn't document.
func (s *State) byEvent(l *dialect.Line) {
	decode := handlers[s.event]
	switch {
	case decode != nil:
		decode(s, l)
	case s.event == "": // one of the server's own facts
		l.Emit(&agent.Telemetry{Name: l.Name, Data: asWritten(l.Top, "payload")})
	default:
		l.Emit(&agent.Unknown{Name: s.event, Raw: l.Unread()})
	}
}
