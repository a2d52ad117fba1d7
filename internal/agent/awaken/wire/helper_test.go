package wire_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
)

// Lines of a run.
const (
	began    = `{"event_type":"run_start","thread_id":"th","run_id":"r1"}`
	finished = `{"event_type":"run_finish","thread_id":"th","run_id":"r1","termination":{"type":"natural_end"}}`
	paused   = `{"event_type":"run_finish","thread_id":"th","run_id":"r1","termination":{"type":"suspended"}}`
	computed = `{"event_type":"inference_complete","usage":{"prompt_tokens":1}}`
)

func textDelta(text string) string { return `{"event_type":"text_delta","delta":"` + text + `"}` }

func ready(id string) string {
	return `{"event_type":"tool_call_ready","id":"` + id + `","name":"deploy","arguments":{"to":"` + id + `"}}`
}

func done(id string) string {
	return `{"event_type":"tool_call_done","id":"` + id + `","result":{"tool_name":"deploy","status":"success","data":"up"},"outcome":"succeeded"}`
}

func suspends(id string) string {
	return `{"event_type":"tool_call_done","id":"` + id + `","result":{"tool_name":"deploy","status":"pending","suspension":` +
		`{"suspension":{"id":"perm_` + id + `","action":"tool:PermissionConfirm","message":"May deploy run?"}}},"outcome":"suspended"}`
}

// fact returns an event in the store's format.
func fact(cursor, kind, event string) string {
	return `{"event_id":"ev-` + cursor + `","cursors_by_scope":[{"scope":{"scope_type":"thread"},"cursor":"t-` + cursor + `"},` +
		`{"scope":{"scope_type":"run","run_id":"r1"},"cursor":"` + cursor + `"}],"event_kind":"` + kind + `","payload":` + event + `,"run_id":"r1"}`
}

// older returns an event in the older form.
func older(kind, data string) string {
	return `{"type":"` + kind + `","run_id":"r1","thread_id":"th","seq":7,"timestamp_ms":1700000000007,"step_id":"step:0","data":` + data + `}`
}

// A stream decodes lines one after the other.
type stream struct {
	t       *testing.T
	decoder dialect.Decoder
}

func newStream(t *testing.T) *stream {
	t.Helper()
	return &stream{t, wire.Dialect.NewDecoder()}
}

// try decodes a line and returns the JSON of its events.
func (s *stream) try(line string) (events []string, err error) {
	s.t.Helper()
	err = s.decoder.Decode([]byte(line), func(e agent.Event) bool {
		raw := agent.AppendJSON(nil, e)
		require.True(s.t, json.Valid(raw) && utf8.Valid(raw), "%q", raw)
		events = append(events, string(raw))
		return true
	})
	return events, err
}

// add decodes lines and returns the JSON of their events.
func (s *stream) add(lines ...string) (events []string) {
	s.t.Helper()
	for _, line := range lines {
		got, err := s.try(line)
		require.NoError(s.t, err, "%s", line)
		events = append(events, got...)
	}
	return events
}

func requireJSON(t *testing.T, text string, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), into), "%s", text)
}
