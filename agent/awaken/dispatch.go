package awaken

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// handler is what takes an event that does not come by the thousand, nil where
// there is no event of that name.
func handler(name []byte) func(d *decoder, m *message) error {
	switch string(name) {
	case "run_start":
		return (*decoder).runStart
	case "run_finish":
		return (*decoder).runFinish
	case "reasoning_encrypted_value":
		return (*decoder).encrypted
	case "tool_call_start":
		return (*decoder).toolStart
	case "tool_call_ready":
		return (*decoder).toolReady
	case "tool_call_done":
		return (*decoder).toolDone
	case "tool_call_resumed":
		return (*decoder).toolResumed
	case "tool_call_cancel":
		return (*decoder).toolCancel
	case "stream_reset":
		return (*decoder).streamReset
	case "step_start":
		return (*decoder).stepStart
	case "step_end":
		return (*decoder).stepEnd
	case "inference_complete":
		return (*decoder).inferenceComplete
	case "messages_snapshot":
		return (*decoder).messagesSnapshot
	case "activity_snapshot":
		return (*decoder).activitySnapshot
	case "activity_delta":
		return (*decoder).activityDelta
	case "state_snapshot":
		return (*decoder).stateSnapshot
	case "state_delta":
		return (*decoder).stateDelta
	case "error":
		return (*decoder).failure
	}
	return nil
}

func (d *decoder) decode(line []byte, m *message) error {
	if _, p := d.run.state(); p == ended && !outlives(m) {
		return nil
	}
	switch string(m.name) {
	case "text_delta":
		return d.textDelta(line, m)
	case "reasoning_delta":
		return d.reasoningDelta(line, m)
	case "tool_call_delta":
		return d.argsDelta(m)
	case "tool_call_stream_delta":
		return d.outputDelta(m)
	}
	if m.name == nil { // a fact of the server's own
		d.emit(&agent.Telemetry{Name: rawjson.String(m.kind).String(), Data: rawjson.CleanValue(m.payload)})
		return nil
	}
	handle := handler(m.name)
	if handle == nil {
		d.emit(&agent.Unknown{Name: rawjson.String(m.name).String(), Raw: bytes.TrimSpace(rawjson.CleanValue(line))})
		return nil
	}
	m.body = rawjson.CleanValue(m.body)
	return handle(d, m)
}

// outlives tells whether an event means something behind the end of a run: the
// start of the next, another end, and what the server says of its own accord.
// Nothing else is read there by Awaken's own readers either (event_relay.rs).
func outlives(m *message) bool {
	switch string(m.name) {
	case "run_start", "run_finish", "error", "":
		return true
	}
	return false
}
