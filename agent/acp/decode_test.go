package acp

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

func TestChunksAreTheSameHoweverTheyAreWritten(t *testing.T) {
	want := []string{`{"type":"text_delta","text":"tea \"hot\"\n","messageId":"m1"}`}
	for _, line := range []string{
		updateLine(`{"sessionUpdate":"agent_message_chunk","messageId":"m1","content":{"type":"text","text":"tea \"hot\"\n"}}`),
		updateLine(`{"content":{"text":"tea \"hot\"\n","type":"text","annotations":null,"_meta":{}},"messageId":"m1","_meta":{"n":1},"sessionUpdate":"agent_message_chunk"}`),
		`{ "method" : "session/update" , "params" : { "update" : {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"tea \"hot\"\n"},"messageId":"m1"} , "sessionId" : "s" } , "jsonrpc" : "2.0" }`,
		updateLine(`{"sessionUpdate":"agent\u005fmessage_chunk","messageId":"m1","content":{"type":"text","text":"tea \"hot\"\n"}}`),
		updateLine(`{"sessionUpdate":"agent_message_chunk","messageId":"m\u0031","content":{"type":"text","text":"tea \"hot\"\n"}}`),
	} {
		d := newDecoder(Repairs{})
		require.Equal(t, want, decodeWith(t, d, line))
		require.Equal(t, want, decodeWith(t, d, line), "the second time it is known by heart")
	}
}

func TestHalvesOfACharacterStayInTextAndNowhereElse(t *testing.T) {
	d := newDecoder(Repairs{})
	require.Equal(t, []string{`{"type":"text_delta","text":"\ud83d"}`, `{"type":"text_delta","text":"\ude42"}`}, decodeWith(t, d,
		updateLine(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\ud83d"}}`),
		updateLine(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\ude42"}}`)))
	got := decodeWith(t, d, updateLine(`{"sessionUpdate":"tool_call","toolCallId":"a","title":"\ud83d","rawInput":{"x":"\ude42"}}`))
	require.Equal(t, []string{`{"type":"tool_ready","toolCallId":"a","toolName":"","args":{"x":"\ufffd"},"title":"�"}`}, got)
}

func TestUpdatesOfAnotherSessionAreRefusedWhereTheSessionIsKnown(t *testing.T) {
	d := newDecoder(Repairs{})
	d.session = "other"
	err := d.Decode([]byte(textLine("x")), func(agent.Event) bool { return true })
	var malformed *dialect.MalformedError
	require.ErrorAs(t, err, &malformed)
	require.Equal(t, "agent_message_chunk", malformed.Type)
}

func TestWhatIsNoMessageIsNoEvent(t *testing.T) {
	d := newDecoder(Repairs{})
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

func TestWhatIsNotKnownIsKept(t *testing.T) {
	d := newDecoder(Repairs{})
	leaves, steam := updateLine(`{"sessionUpdate":"tea_leaves","leaves":3}`), `{"jsonrpc":"2.0","method":"_tea/steam","params":{"hot":true}}`
	require.Equal(t, []string{
		`{"type":"tea_leaves","message":` + leaves + `}`,
		`{"type":"_tea/steam","message":` + steam + `}`,
	}, decodeWith(t, d, leaves, steam))
}

func TestGluesChunksThatAreNoText(t *testing.T) {
	d := newDecoder(GlueRepairs())
	require.Equal(t, []string{
		`{"type":"notice","severity":"info","message":"Using the small pot"}`,
		`{"type":"text_delta","text":"Hot"}`,
		`{"type":"text_delta","text":"! No, wait.\n"}`,
		`{"type":"notice","severity":"warning","message":"The water is hard"}`,
		`{"type":"text_delta","text":"! two\nlines\n"}`,
		`{"type":"error","error":"Exception: no tea","code":"agent_failed"}`,
	}, decodeWith(t, d,
		textLine("· Using the small pot\n"), textLine("Hot"), textLine("! No, wait.\n"), textLine("! The water is hard\n"),
		textLine("! two\nlines\n"), textLine("\n[error] Exception: no tea"),
		`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}`))
}

func TestATextThatLooksLikeGluesErrorIsTextWhereTheTurnGoesOn(t *testing.T) {
	held := `{"type":"text_delta","text":"\n[error] is what logs say"}`
	for _, next := range []string{
		textLine("more"),
		updateLine(`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}`),
		updateLine(`{"sessionUpdate":"tool_call","toolCallId":"c","title":"grep"}`),
	} {
		got := decodeWith(t, newDecoder(GlueRepairs()), textLine("\n[error] is what logs say"), next)
		require.Len(t, got, 2)
		require.Equal(t, held, got[0])
	}
	got := decodeWith(t, newDecoder(GlueRepairs()), textLine("\n[error] is what logs say"), endLine)
	require.Equal(t, []string{`{"type":"notice","severity":"error","message":"is what logs say"}`, `{"type":"done","text":"","stopReason":"end_turn"}`}, got)
}

func TestGluesPermissionRequest(t *testing.T) {
	line := `{"jsonrpc":"2.0","id":1000000,"method":"session/request_permission","params":{"sessionId":"s","toolCallId":"c1","title":"bash","kind":"execute","options":[{"optionId":"allow","label":"Allow"},{"optionId":"deny","label":"Deny"},{"optionId":"maybe","label":"Maybe"}]}}`
	want := []string{`{"type":"tool_confirmation_request","confirmationId":"permission-1000000","toolCallId":"c1","toolName":"bash","options":[{"id":"allow","name":"Allow","kind":"allow_once"},{"id":"deny","name":"Deny","kind":"reject_once"}],"title":"Run","kind":"execute"}`}
	require.Equal(t, want, decodeWith(t, newDecoder(GlueRepairs()), line))

	got := decodeWith(t, newDecoder(Repairs{}), line)
	require.Len(t, got, 1)
	require.Contains(t, got[0], `"type":"notice"`, "an option without a kind is no consent of an agent that is not known to leave it out")
}

func TestTheOptionsOfAPermissionRequestKeepTheirNamesAndOrder(t *testing.T) {
	got := decodeWith(t, newDecoder(Repairs{}), `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},"options":[
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

func TestGluesBareToolNamesBecomeTitles(t *testing.T) {
	require.Equal(t, []string{
		`{"type":"tool_start","toolCallId":"c1","toolName":"read_file","args":{"path":"tea.md"},"title":"Read tea.md","kind":"read","locations":[{"path":"tea.md"}]}`,
		`{"type":"tool_pending","toolCallId":"c2","toolName":"","title":"shop.order","kind":"other"}`,
	}, decodeWith(t, newDecoder(GlueRepairs()),
		updateLine(`{"sessionUpdate":"tool_call","toolCallId":"c1","title":"read_file","kind":"other","status":"in_progress","rawInput":{"path":"tea.md"}}`),
		updateLine(`{"sessionUpdate":"tool_call","toolCallId":"c2","title":"shop.order","kind":"other","status":"pending"}`)))
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	d := newDecoder(Repairs{})
	for i := range 5000 {
		decodeWith(t, d, updateLine(fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"t","status":"in_progress"}`, i)))
	}
	require.LessOrEqual(t, len(d.calls.order), maxCalls)
	require.LessOrEqual(t, len(d.calls.byID), maxCalls)
	for range 10 {
		decodeWith(t, d, textLine(strings.Repeat("y", maxSaid/4)))
	}
	require.LessOrEqual(t, cap(d.echo.text), 2*maxSaid)
	decodeWith(t, d, endLine)
	require.Empty(t, d.calls.byID)
}

// A line says what it says by the names that the protocol gives.
func TestMembersInAnotherCaseAreUnknownOnes(t *testing.T) {
	require.Equal(t, []string{
		`{"type":"text_delta","text":"a"}`,
		`{"type":"done","text":"","stopReason":"refusal"}`,
	}, decodeWith(t, newDecoder(Repairs{}),
		updateLine(`{"sessionUpdate":"agent_message_chunk","SessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"a","Text":"b"},"Content":{"type":"text","text":"c"}}`),
		`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal","StopReason":"end_turn"}}`))

	got := decodeWith(t, newDecoder(Repairs{}), `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"c"},`+
		`"options":[{"optionId":"no","name":"No","kind":"reject_once","Kind":"allow_always"}],"Options":[{"optionId":"yes","kind":"allow_once"}]}}`)
	require.Contains(t, got[len(got)-1], `reject_once`)
	require.NotContains(t, got[len(got)-1], `allow`)
}

func FuzzDecode(f *testing.F) {
	for _, lines := range []string{
		textLine("a") + "\n" + endLine,
		textLine("\n[error] x") + "\n" + `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"refusal"}}`,
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
		f.Add(lines, false)
		f.Add(lines, true)
	}
	f.Fuzz(func(t *testing.T, lines string, glue bool) {
		repairs := Repairs{}
		if glue {
			repairs = GlueRepairs()
		}
		first := events(t, repairs, lines)
		require.Equal(t, first, events(t, repairs, lines))
	})
}

func events(t *testing.T, r Repairs, lines string) []string {
	t.Helper()
	d := newDecoder(r)
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

func TestTheTableKnowsEachToolOnceAndFully(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range GlueRepairs().Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}
