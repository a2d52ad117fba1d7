package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// decodeWith decodes lines and returns their events as JSON.
func decodeWith(t *testing.T, d dialect.Decoder, lines ...string) []string {
	t.Helper()
	var got []string
	for _, line := range lines {
		err := d.Decode([]byte(line), func(e agent.Event) bool {
			got = append(got, string(agent.AppendJSON(nil, e)))
			return true
		})
		require.NoError(t, err, "%s", line)
	}
	return got
}

func updateLine(update string) string {
	return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":` + update + `}}`
}

func textLine(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return updateLine(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + string(raw) + `}}`)
}

const endLine = `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`

func TestOnlyLinesOfTheProtocolAreRecognised(t *testing.T) {
	for line, want := range map[string]bool{
		textLine("x"): true,
		endLine:       true,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{}}}`:            true,
		`{"id":0,"method":"session/request_permission","jsonrpc":"2.0","params":{}}`:                true,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1.0","serverName":"ethos"}}`:          false,
		`{"jsonrpc":"2.0","method":"$/stream","params":{"event":{"type":"text_delta","text":"x"}}}`: false,
		`{"jsonrpc":"2.0","id":1,"result":null}`:                                                    false,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}`:                           false,
		`{"type":"text_delta","text":"\"jsonrpc\" session/update"}`:                                 false,
		`{"method":"session/update","params":{}}`:                                                   false,
		`"jsonrpc"`: false,
		``:          false,
	} {
		require.Equal(t, want, Dialect.Recognise([]byte(line)), "%s", line)
	}
}

func TestEquivalentChunksDecodeAlike(t *testing.T) {
	want := []string{`{"type":"text_delta","text":"tea \"hot\"\n","messageId":"m1"}`}
	for _, line := range []string{
		updateLine(`{"sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":"tea \"hot\"\n"}}`),
		updateLine(`{"content":{"text":"tea \"hot\"\n","type":"text","annotations":null,"_meta":{}},"messageId":"m1","_meta":{"n":1},"sessionUpdate":"agent_message_chunk"}`),
		`{ "method" : "session/update" , "params" : { "update" : {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"tea \"hot\"\n"},"messageId":"m1"} , "sessionId" : "s" } , "jsonrpc" : "2.0" }`,
		updateLine(`{"sessionUpdate":"agent\u005fmessage_chunk","messageId":"m1","content":{"type":"text","text":"tea \"hot\"\n"}}`),
		updateLine(`{"sessionUpdate":"agent_message_chunk","messageId":"m\u0031","content":{"type":"text","text":"tea \"hot\"\n"}}`),
	} {
		d := newDecoder()
		require.Equal(t, want, decodeWith(t, d, line))
		require.Equal(t, want, decodeWith(t, d, line), "the second time it is known by heart")
	}
}

func TestOnlyTextKeepsHalfCharacters(t *testing.T) {
	d := newDecoder()
	require.Equal(t, []string{`{"type":"text_delta","text":"\ud83d"}`, `{"type":"text_delta","text":"\ude42"}`}, decodeWith(t, d,
		updateLine(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\ud83d"}}`),
		updateLine(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\ude42"}}`)))
	got := decodeWith(t, d, updateLine(`{"sessionUpdate":"tool_call","toolCallId":"a","title":"\ud83d","rawInput":{"x":"\ude42"}}`))
	require.Equal(t, []string{`{"type":"tool_ready","toolCallId":"a","toolName":"","args":{"x":"\ufffd"},"title":"�"}`}, got)
}

func TestInvalidMessagesYieldNoEvents(t *testing.T) {
	d := newDecoder()
	for _, line := range []string{``, `[]`, `null`, `7`, `{}`, `{"jsonrpc":"2.0"}`, `{"method":7}`, `{"jsonrpc":"2.0","id":1,"error":{}}`, `{"a":`} {
		require.ErrorIs(t, d.Decode([]byte(line), func(agent.Event) bool { return true }), dialect.ErrNotObject, "%s", line)
	}
	for _, line := range []string{
		updateLine(`null`), updateLine(`{}`), updateLine(`{"sessionUpdate":"plan","entries":7}`),
		updateLine(`{"sessionUpdate":"tool_call"}`),
		`{"jsonrpc":"2.0","method":"session/update"}`,
		`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":[7]}`,
		`{"jsonrpc":"2.0","id":1,"result":{"stopReason":7}}`,
	} {
		var malformed *dialect.MalformedError
		require.ErrorAs(t, d.Decode([]byte(line), func(agent.Event) bool { return true }), &malformed, "%s", line)
	}
}

func TestUnknownMessagesAreYieldedWhole(t *testing.T) {
	d := newDecoder()
	leaves, steam := updateLine(`{"sessionUpdate":"tea_leaves","leaves":3}`), `{"jsonrpc":"2.0","method":"_tea/steam","params":{"hot":true}}`
	require.Equal(t, []string{
		`{"type":"tea_leaves","message":` + leaves + `}`,
		`{"type":"_tea/steam","message":` + steam + `}`,
	}, decodeWith(t, d, leaves, steam))
}

func TestPermissionOptionsKeepTheirNamesAndOrder(t *testing.T) {
	got := decodeWith(t, newDecoder(), `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[
		{"optionId":"bypass","name":"Yes, and bypass permissions","kind":"allow_always"},
		{"optionId":"edits","name":"Yes, and accept edits","kind":"allow_always"},
		{"optionId":"","name":"nameless","kind":"allow_once"},
		{"optionId":"new","name":"of a kind to come","kind":"allow_twice"},
		{"optionId":"manual","kind":"allow_once"},
		{"optionId":"plan","name":"No, keep planning","kind":"reject_once"}]}}`)
	require.Equal(t, []string{`{"type":"tool_confirmation_request","confirmationId":"permission-1","toolCallId":"c","options":[` +
		`{"id":"bypass","name":"Yes, and bypass permissions","kind":"allow_always"},` +
		`{"id":"edits","name":"Yes, and accept edits","kind":"allow_always"},` +
		`{"id":"manual","kind":"allow_once"},` +
		`{"id":"plan","name":"No, keep planning","kind":"reject_once"}]}`}, got)
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	d := newDecoder()
	for i := range 5000 {
		decodeWith(t, d, updateLine(fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"t","status":"in_progress"}`, i)))
	}
	require.LessOrEqual(t, len(d.calls.order), maxCalls)
	require.LessOrEqual(t, len(d.calls.byID), maxCalls)
	for range 10 {
		decodeWith(t, d, textLine(strings.Repeat("y", maxMessage/4)))
	}
	require.LessOrEqual(t, cap(d.echo.text), 2*maxMessage)
	decodeWith(t, d, endLine)
	require.Empty(t, d.calls.byID)
}

// Member names must match the protocol's names exactly.
func TestMembersInAnotherCaseAreUnknown(t *testing.T) {
	require.Equal(t, []string{
		`{"type":"text_delta","text":"a"}`,
		`{"type":"done","text":"","stopReason":"refusal"}`,
	}, decodeWith(t, newDecoder(),
		updateLine(`{"sessionUpdate":"agent_message_chunk","SessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"a","Text":"b"},"Content":{"type":"text","text":"c"}}`),
		`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal","StopReason":"end_turn"}}`))

	got := decodeWith(t, newDecoder(), `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},`+
		`"options":[{"optionId":"no","name":"No","kind":"reject_once","Kind":"allow_always"}],"Options":[{"optionId":"yes","kind":"allow_once"}]}}`)
	require.Contains(t, got[len(got)-1], `reject_once`)
	require.NotContains(t, got[len(got)-1], `allow`)
}

func FuzzDecode(f *testing.F) {
	for _, lines := range []string{
		textLine("a") + "\n" + endLine,
		updateLine(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"read","status":"in_progress","content":[{"type":"diff","path":"p","newText":"n"}],"rawInput":{"a":1}}`) + "\n" +
			updateLine(`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"content","content":{"type":"text","text":"x"}}]}`) + "\n" +
			updateLine(`{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[{"type":"content","content":{"type":"text","text":"xy"}}],"rawOutput":{}}`),
		`{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[{"optionId":"o","kind":"allow_once"}]}}` + "\n" + `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"a"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":{"properties":{"p":{"type":"string","enum":["\ud83d"]}}}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s","modes":{"currentModeId":"m","availableModes":[{"id":"m","name":"n"}]},"configOptions":[7,{"category":"mode","currentValue":"m"}]}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"configOptions":[{"id":"a","type":"select","currentValue":"x","options":[{"group":"g","options":[{"value":"x"}]},{"value":"y"},7]},{"id":"b","type":"boolean","currentValue":true},{"id":"b"}],"modes":7}}` +
			"\n" + `{"jsonrpc":"2.0","id":4,"result":{"modes":{"currentModeId":"x"},"models":{"currentModelId":"y"}}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"m","data":["\ude42"]}}`,
	} {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		first := events(t, lines)
		require.Equal(t, first, events(t, lines))
	})
}

func events(t *testing.T, lines string) []string {
	t.Helper()
	d := newDecoder()
	var got []string
	for line := range strings.SplitSeq(string(rawjson.Valid([]byte(lines))), "\n") {
		err := d.Decode([]byte(line), func(e agent.Event) bool {
			text := agent.AppendJSON(nil, e)
			require.True(t, json.Valid(text), "%q of %q", text, line)
			require.True(t, utf8.Valid(text), "%q", text)
			got = append(got, string(text))
			return true
		})
		if err != nil {
			got = append(got, err.Error())
		}
	}
	return got
}
