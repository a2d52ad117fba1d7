package awaken

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Dialect is Awaken's dialect, in all its forms.
var Dialect = dialect.Dialect{
	Name:       "awaken",
	Types:      types,
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder(&run{}) },
}

// Prefixes of the names of what is no event of the head form.
const (
	olderPrefix = "v0:"   // an event in the older form
	factPrefix  = "fact:" // a fact of the event store, by its event_kind
)

// headTypes are the variants of AgentEvent in contract/event.rs.
var headTypes = []string{
	"run_start", "run_finish", "text_delta", "reasoning_delta", "reasoning_encrypted_value",
	"tool_call_start", "tool_call_delta", "tool_call_ready", "tool_call_done",
	"tool_call_stream_delta", "tool_call_resumed", "tool_call_cancel", "stream_reset",
	"step_start", "step_end", "inference_complete", "messages_snapshot",
	"activity_snapshot", "activity_delta", "state_snapshot", "state_delta", "error",
}

// olderTypes are those that the seed lists.
var olderTypes = []string{
	"run_start", "run_finish", "text_delta", "reasoning_delta", "reasoning_encrypted_value",
	"tool_call_start", "tool_call_delta", "tool_call_ready", "tool_call_done", "tool_call_resumed",
	"step_start", "step_end", "inference_complete", "messages_snapshot",
	"activity_snapshot", "activity_delta", "state_snapshot", "state_delta", "error",
}

// factKinds are the kinds that the event store gives to AgentEvents, and those
// that the server's mailbox adds, whose payload is no AgentEvent.
var factKinds = []string{
	"RunStarted", "RunResumed", "RunFinished", "RunSuspended", "RunCancelled", "RunErrored", "RunTerminated",
	"TextDeltaObserved", "ReasoningDeltaObserved", "ReasoningEncryptedValueObserved",
	"ToolCallStarted", "ToolCallDeltaObserved", "ToolCallReady", "ToolCallDone", "ToolCallSuspended",
	"ToolCallRejected", "ToolCallTimedOut", "ToolCallStreamDeltaObserved", "ToolCallResumed", "ToolCallCancelled",
	"ToolPermissionRequested", "ToolPermissionResolved", "StreamReset", "StepStarted", "StepEnded",
	"InferenceComplete", "MessagesSnapshotObserved", "ActivitySnapshotObserved", "ActivityDeltaObserved",
	"StateSnapshotObserved", "StateDeltaObserved", "ErrorRecorded",
	"RunSubmitted", "RunQueued", "RunInterrupted", "RunRescheduled",
}

func types() []string {
	all := slices.Clone(headTypes)
	for _, name := range olderTypes {
		all = append(all, olderPrefix+name)
	}
	for _, kind := range factKinds {
		all = append(all, factPrefix+kind)
	}
	return all
}

// recognise tells whether a line can only be Awaken's. Other dialects share the
// older form's type names, some even "data"; "run_id" with "thread_id", or a
// type that nobody else has, tells them apart.
func recognise(line []byte) bool {
	m, err := parse(line)
	if err != nil {
		return false
	}
	name := rawjson.String(m.name).String()
	switch m.form {
	case factForm:
		return m.name == nil || slices.Contains(headTypes, name)
	case headForm:
		return slices.Contains(headTypes, name)
	}
	if !slices.Contains(olderTypes, name) {
		return false
	}
	own := strings.HasPrefix(name, "tool_call_") || strings.HasPrefix(name, "reasoning_") || name == "inference_complete"
	return m.thread != nil && m.run != nil || m.nested && (own || name == "text_delta" && m.has("delta") || name == "messages_snapshot")
}
