package thread_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func ids() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("new-%d", n)
	}
}

// apply applies a line as a driver does.
func apply(th *thread.Thread, line string) (err error) {
	table := dialect.Table[struct{}]{Forms: []dialect.Form[struct{}]{{Type: "type"}}, EachLine: true}
	table.Before = func(_ *struct{}, l *dialect.Line) bool {
		_, err = th.Apply(l)
		return false
	}
	_ = table.Compile().Decoder(nil).Decode(rawjson.Valid([]byte(line)), func(agent.Event) bool { return true })
	return err
}

func applied(t *testing.T, th *thread.Thread, lines ...string) *thread.Thread {
	t.Helper()
	for _, l := range lines {
		require.NoError(t, apply(th, l))
	}
	return th
}

func recalled(state agent.Raw) *thread.Thread { return thread.Recall(agent.Memory{State: state}) }

func messages(t *testing.T, th *thread.Thread) string {
	t.Helper()
	raw, err := json.Marshal(th.Encode())
	require.NoError(t, err)
	return string(raw)
}

func TestPiecesBecomeMessages(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"an empty message before a call": {[]string{
			`{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}`, `{"type":"TEXT_MESSAGE_END","messageId":"m"}`,
			`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x","parentMessageId":"m"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`,
		}, `[{"id":"m","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":""}}]}]`},
		"an empty message": {[]string{`{"type":"TEXT_MESSAGE_START","messageId":"m"}`}, `[]`},
		"a split character": {[]string{
			`{"type":"TEXT_MESSAGE_START","messageId":"m"}`,
			`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud83d"}`, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ude00"}`,
		}, `[{"id":"m","role":"assistant","content":"a😀"}]`},
		"chunks of calls": {[]string{
			`{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"x","delta":"{\"a\""}`, `{"type":"TOOL_CALL_CHUNK","delta":":1}"}`,
			`{"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"y"}`,
		}, `[{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":"{\"a\":1}"}},
			{"id":"d","type":"function","function":{"name":"y","arguments":""}}]}]`},
		"a call that is not complete": {[]string{`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}`}, `[]`},
		"a call that is repeated": {[]string{
			`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}`, `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{}"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`,
			`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}`, `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{ }"}`, `{"type":"TOOL_CALL_END","toolCallId":"c"}`,
		}, `[{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":"{ }"}}]}]`},
		"reasoning": {[]string{
			`{"type":"REASONING_MESSAGE_START","messageId":"q"}`, `{"type":"REASONING_MESSAGE_CONTENT","messageId":"q","delta":"secret"}`,
			`{"type":"REASONING_MESSAGE_START","messageId":"r"}`, `{"type":"REASONING_MESSAGE_CONTENT","messageId":"r","delta":"hm"}`,
			`{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r","encryptedValue":"xyz","encryptedValueType":"k"}`,
		}, `[{"id":"r","role":"reasoning","content":"hm","encryptedValue":"xyz","encryptedValueType":"k"}]`},
		"a result of parts": {[]string{
			`{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"a"}]}`,
			`{"type":"TOOL_CALL_RESULT","messageId":"n","toolCallId":"d","content":""}`,
		}, `[{"id":"m","role":"tool","content":[{"type":"text","text":"a"}],"toolCallId":"c"},{"id":"n","role":"tool","content":"","toolCallId":"d"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			require.JSONEq(t, c.want, messages(t, applied(t, new(thread.Thread), c.lines...)))
		})
	}
}

func TestASnapshotIsReconciled(t *testing.T) {
	th := new(thread.Thread)
	th.Say("u1", json.RawMessage(`"hi"`), ids())
	applied(t, th,
		`{"type":"REASONING_MESSAGE_CHUNK","messageId":"r","delta":"hm"}`, `{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r","encryptedValue":"x"}`,
		`{"type":"TEXT_MESSAGE_CHUNK","messageId":"dropped","delta":"a"}`, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"b"}`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"new","role":"system","content":"c"},{"id":"act","role":"activity","content":{}},
			{"id":"m","role":"assistant","content":"B"},{"id":"u1","role":"user","content":"hi"},null,{"id":"m","role":"assistant","content":"again"}]}`)
	require.JSONEq(t, `[{"id":"u1","role":"user","content":"hi"},{"id":"r","role":"reasoning","content":"hm","encryptedValue":"x"},
		{"id":"m","role":"assistant","content":"B"},{"id":"new","role":"system","content":"c"}]`, messages(t, th))
}

func TestAPatchIsAppliedWholeOrNotAtAll(t *testing.T) {
	th := applied(t, new(thread.Thread), `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":[1]}]}`)
	for _, bad := range []string{
		`[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/none"}]`, `[{"op":"test","path":"/a","value":2}]`,
		`[{"op":"add","path":"/a/-1","value":2}]`, `[{"op":"add","path":"/a/999999999","value":2}]`, `{}`, `[{"op":7}]`,
	} {
		err := apply(th, `{"type":"STATE_DELTA","delta":`+bad+`}`)
		require.ErrorContains(t, err, "the state's patch", bad)
	}
	require.JSONEq(t, `{"a":[1]}`, string(th.State()))
	require.JSONEq(t, `7`, string(applied(t, th, `{"type":"STATE_SNAPSHOT","snapshot":7}`).State()))
}

func TestAConversationIsRestored(t *testing.T) {
	th := new(thread.Thread)
	th.Say("u1", json.RawMessage(`"hi"`), ids())
	applied(t, th, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"b"}`, `{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}`)
	pending := thread.Pending{ID: "i", Refusal: []byte(`{"no":1}`)}
	th.Await(pending)
	again := recalled(th.Save(1000))
	require.Equal(t, []thread.Resume{pending.Resume(nil)}, again.Refusals())
	require.Equal(t, messages(t, th), messages(t, again))
	require.JSONEq(t, `{"n":1}`, string(again.State()))
	require.Empty(t, again.Unshown())
	for _, other := range []string{``, `"key"`, `{"messages":7}`, `[]`} {
		require.Equal(t, `[]`, messages(t, recalled(agent.Raw(other))), other)
	}
}

func TestALargeConversationLosesItsOldestTurns(t *testing.T) {
	th, id := new(thread.Thread), ids()
	for n := range 3 {
		th.Say(fmt.Sprint("u", n), json.RawMessage(`"hi"`), id)
		applied(t, th, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m`+strconv.Itoa(n)+`","delta":"`+strings.Repeat("x", 300)+`"}`)
	}
	saved := th.Save(900)
	require.LessOrEqual(t, len(saved), 900)
	again := recalled(saved)
	require.True(t, again.Cut)
	require.True(t, strings.HasPrefix(messages(t, again), `[{"id":"u1"`))
	require.Nil(t, th.Save(100))

	th.Say("image", json.RawMessage(`[{"type":"text","text":"look"},{"type":"image","source":{"type":"data","value":"`+strings.Repeat("A", 2000)+`"}}]`), id)
	again = recalled(th.Save(1600))
	require.Contains(t, messages(t, again), `{"id":"image","role":"user","content":"look"}`)
	require.Contains(t, messages(t, again), `"id":"u0"`)
}

// Whatever a server sends, the conversation can be sent back and saved.
func FuzzApply(f *testing.F) {
	f.Add([]byte(`{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a\ud83d"}`), []byte(`{"type":"TEXT_MESSAGE_CHUNK","delta":"b"}`))
	f.Add([]byte(`{"type":"TOOL_CALL_CHUNK","toolCallId":"c","delta":"{"}`), []byte(`{"type":"TOOL_CALL_RESULT","toolCallId":"c","content":[1]}`))
	f.Add([]byte(`{"type":"STATE_SNAPSHOT","snapshot":{"a":[]}}`), []byte(`{"type":"STATE_DELTA","delta":[{"op":"copy","from":"","path":"/a/-"}]}`))
	f.Add([]byte(`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c"},null]}]}`), []byte(`{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"x"}`))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		th, id := new(thread.Thread), ids()
		th.Say("u", json.RawMessage(`"hi"`), id)
		_ = apply(th, string(one))
		_ = apply(th, string(two))
		th.Unshown()
		th.Say("v", json.RawMessage(`"hi"`), id)
		list := th.Encode()
		saved := th.Save(1 << 20)
		require.NotNil(t, saved)
		require.Equal(t, list, recalled(saved).Encode())
		require.True(t, json.Valid(th.State()))
	})
}

func TestIdsMayBeUsedAgainInAnotherTurn(t *testing.T) {
	th, id := new(thread.Thread), ids()
	for range 2 {
		th.Say("u", json.RawMessage(`"hi"`), id)
		applied(t, th, `{"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"x","delta":"{}"}`,
			`{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"ok"}`, `{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}`)
	}
	turn := `{"id":"u","role":"user","content":"hi"},{"id":"c","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"x","arguments":"{}"}}]},
		{"id":"r","role":"tool","content":"ok","toolCallId":"c"},{"id":"m","role":"assistant","content":"a"}`
	require.JSONEq(t, "["+turn+","+turn+"]", messages(t, th))
}
