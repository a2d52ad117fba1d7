package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
)

func TestLinesOfAwakenAreRecognised(t *testing.T) {
	for line, want := range map[string]bool{
		`{"event_type":"text_delta","delta":"a"}`:                                         true,
		`{"event_type":"run_start","thread_id":"t","run_id":"r"}`:                         true,
		`{"type":"text_delta","data":{"delta":"a"}}`:                                      true,
		`{"type":"run_start","run_id":"r","thread_id":"t"}`:                               true,
		`{"type":"step_end","run_id":"r","thread_id":"t","seq":1,"timestamp_ms":2}`:       true,
		`{"type":"tool_call_ready","data":{"id":"c","name":"n","arguments":null}}`:        true,
		`{"event_id":"e","event_kind":"RunStarted","payload":{"event_type":"run_start"}}`: true,
		`{"event_id":"e","event_kind":"RunQueued","payload":{"dispatch_id":"d"}}`:         true,
		`{"event_type":"something_else"}`:                                                 false,
		`{"type":"text_delta","text":"a"}`:                                                false,
		`{"type":"run_start","provider":"p","model":"m"}`:                                 false,
		`{"type":"step_end"}`:                                        false,
		`{"type":"error","error":"e"}`:                               false,
		`{"type":"error","schema_version":1,"data":{"message":"m"}}`: false,
		`{"type":"thinking","schema_version":1,"data":{"text":"m"}}`: false,
		`{"type":"thread.message.delta","data":{"delta":{}}}`:        false,
		`[boot] ready`:               false,
		``:                           false,
		`{"event_type":"text_delta"`: false,
	} {
		require.Equal(t, want, wire.Dialect.Recognise([]byte(line)), "%s", line)
	}
}

func TestLinesThatAreNotEventsAreReported(t *testing.T) {
	for _, line := range []string{``, `hello`, `[]`, `{"a":1}`, `{"event_type":7}`, `{"event_type":"text_delta"`} {
		err := newStream(t).decoder.Decode([]byte(line), nil)
		require.ErrorIs(t, err, dialect.ErrNotObject, "%s", line)
	}
}

func TestAnEventWithAWrongFieldIsMalformed(t *testing.T) {
	for line, name := range map[string]string{
		`{"event_type":"text_delta","delta":7}`:                                             "text_delta",
		`{"event_type":"tool_call_ready","name":"n"}`:                                       "tool_call_ready",
		`{"event_type":"tool_call_done","id":"c","result":7}`:                               "tool_call_done",
		`{"event_type":"run_finish","termination":7}`:                                       "run_finish",
		`{"type":"state_delta","data":{"delta":{}}}`:                                        "v0:state_delta",
		`{"event_kind":"StepStarted","payload":{"event_type":"step_start","message_id":1}}`: "fact:StepStarted",
	} {
		err := newStream(t).decoder.Decode([]byte(line), nil)
		var malformed *dialect.MalformedError
		require.ErrorAs(t, err, &malformed, "%s", line)
		require.Equal(t, name, malformed.Type)
		require.Equal(t, line, string(malformed.Raw))
	}
}

func TestAnUnknownTypeIsKeptWhole(t *testing.T) {
	line := `{"event_type":"from_the_future","big":12345678901234567890}`
	var got *agent.Unknown
	err := wire.Dialect.NewDecoder().Decode([]byte(line), func(e agent.Event) bool {
		got = e.(*agent.Unknown)
		return true
	})
	require.NoError(t, err)
	require.Equal(t, "from_the_future", got.Name)
	require.Equal(t, line, string(got.Raw))
}

// Awaken's own ACP server takes every tool with "rm" in its name for a
// deletion, and every one with "cat" for a read (protocols/acp/encoder.rs).
func TestToolKindsAreNotGuessedFromPartsOfNames(t *testing.T) {
	for _, name := range []string{"confirm", "format", "perform", "locate", "concatenate", "removal_quote"} {
		got := newStream(t).add(`{"event_type":"tool_call_ready","id":"c1","name":"` + name + `","arguments":{}}`)
		require.Len(t, got, 1)
		require.NotContains(t, got[0], `"kind":"delete"`)
		require.NotContains(t, got[0], `"kind":"read"`)
		require.Contains(t, got[0], `"toolName":"`+name+`"`)
	}
}

func TestAStoppedReaderIsNotCalledAgain(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	calls := 0
	err := d.Decode([]byte(`{"event_type":"run_finish","termination":{"type":"blocked","value":"no"}}`), func(agent.Event) bool {
		calls++
		return false
	})
	require.NoError(t, err)
	require.Equal(t, 1, calls)
}

func TestEachToolIsInTheTableOnceAndCompletely(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range wire.Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}

func TestValuesOfUnusualKindsAreRead(t *testing.T) {
	for line, want := range map[string]string{
		`{"event_type":"run_finish","termination":""}`:                                                                   `{"type":"done","text":""}`,
		`{"event_type":"run_finish","termination":"cancelled"}`:                                                          `{"type":"done","text":"","stopReason":"cancelled"}`,
		`{"event_kind":"RunQueued","payload":null}`:                                                                      `{"type":"telemetry","name":"RunQueued","data":null}`,
		`{"event_kind":"RunQueued","payload":[7]}`:                                                                       `{"type":"telemetry","name":"RunQueued","data":[7]}`,
		`{"event_type":"state_delta","delta":null}`:                                                                      `{"type":"state_delta","delta":null}`,
		`{"event_type":"error","message":"m","code":{"a":1}}`:                                                            `{"type":"error","error":"m","code":"{\"a\":1}"}`,
		`{"event_type":"tool_call_done","id":"c","result":{"message":"m","data":{"exit_code":3}}}`:                       `{"type":"tool_end","toolCallId":"c","ok":true,"result":"m","structured":{"exit_code":3}}`,
		`{"event_type":"tool_call_done","id":"c","result":{"message":"m","data":{"stdout":"","exit_code":3}}}`:           `{"type":"tool_end","toolCallId":"c","ok":true,"result":"m","structured":{"stdout":"","exit_code":3},"exitCode":3}`,
		`{"event_type":"tool_call_done","id":"c","result":{"data":{"stdout":"a","stderr":"b","exit_code":null}}}`:        `{"type":"tool_end","toolCallId":"c","ok":true,"result":"a\nb","structured":{"stdout":"a","stderr":"b","exit_code":null}}`,
		`{"event_type":"tool_call_done","id":"c","result":{"status":"error","data":{"error":{"code":7,"message":"m"}}}}`: `{"type":"tool_end","toolCallId":"c","ok":false,"error":"m"}`,
	} {
		require.Equal(t, []string{want}, newStream(t).add(line), line)
	}
}
