package wire_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

func TestOnlyLinesUniqueToEthosAreRecognised(t *testing.T) {
	for line, want := range map[string]bool{
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1,"event":{"type":"done"}}}`:                   true,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1.0","serverName":"ethos"}}`:                         true,
		`{"type":"stream_meta","requestId":"r"}`:                                                                   true,
		`{"request":{},"type":"tool.approval_required"}`:                                                           true,
		`{"type":"text_delta","text":"x"}`:                                                                         false,
		`{"type":"run_start","model":"x","source":"global"}`:                                                       false,
		`{"type":"notification","message":"x"}`:                                                                    false,
		`{"jsonrpc":"2.0","method":"session/update","params":{}}`:                                                  false,
		`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"ethos"}}}`:                     false,
		`{"jsonrpc":"2.0","id":1,"result":[]}`:                                                                     false,
		`{"jsonrpc":"2.0","id":1,"result":{"serverName":{"a":1}}}`:                                                 false,
		`{"type":{"stream_meta":1}}`:                                                                               false,
		`{"type":"stream_meta"`:                                                                                    false,
		`[boot] ready`:                                                                                             false,
		`> {"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1,"event":{"type":"text_delta","text":""}}}`: false,
		``: false,
	} {
		require.Equal(t, want, wire.Dialect.Recognise([]byte(line)), "%s", line)
	}
}

func TestBareEventsAreThoseOfTheNativeDialect(t *testing.T) {
	for _, line := range []string{
		`{"type":"text_delta","text":"a\ud83d"}`,
		`{"type":"thinking_delta","thinking":"b","turnId":"t"}`,
		`{"type":"tool_progress","toolName":"x","message":"m","percent":2.5,"audience":"user"}`,
		`{"type":"context_meta","data":{"n":12345678901234567890},"more":[1]}`,
		`{"type":"text_delta"}`,
		`{"type":"sparkle","n":1}`,
		`{"type":"tool_output","toolCallId":"c","text":"x"}`,
	} {
		want, wantErrs := decode(native.Dialect.NewDecoder(), line)
		got, gotErrs := decode(wire.Dialect.NewDecoder(), line)
		require.Equal(t, want, got, "%s", line)
		require.Equal(t, wantErrs, gotErrs, "%s", line)
	}
}

func TestOtherLinesAreSkippedAndMalformedEventsNamed(t *testing.T) {
	for line, malformed := range map[string]string{
		`[boot] x`:                 "",
		``:                         "",
		`{}`:                       "",
		`{"type":7}`:               "",
		`{"jsonrpc":"2.0","id":1}`: "",
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":1}}`:                           "jsonrpc:stream",
		`{"jsonrpc":"2.0","method":"$/stream","params":[{"event":{"type":"done"}}]}`:               "jsonrpc:stream",
		`{"jsonrpc":"2.0","method":"$/stream","params":{"event":{"text":"x"}}}`:                    "jsonrpc:stream",
		`{"jsonrpc":"2.0","method":"$/stream","params":{"event":{"type":"text_delta","text":{}}}}`: "jsonrpc:stream",
		`{"jsonrpc":"2.0","id":1,"error":"broken"}`:                                                "jsonrpc:error",
		`{"type":"tool.approval_required","request":{"toolCallId":"c"}}`:                           "tool.approval_required",
		`{"type":"tool.approval_required","request":{"approvalId":7}}`:                             "tool.approval_required",
		`{"type":"clarify.request","question":"q","options":"red"}`:                                "clarify.request",
	} {
		events, errs := decode(wire.Dialect.NewDecoder(), line)
		require.Empty(t, events, "%s", line)
		require.Len(t, errs, 1, "%s", line)
		m, ok := errors.AsType[*dialect.MalformedError](errs[0])
		if malformed == "" {
			require.ErrorIs(t, errs[0], dialect.ErrNotObject, "%s", line)
			require.False(t, ok, "%s", line)
			continue
		}
		require.True(t, ok, "%s: %v", line, errs[0])
		require.Equal(t, malformed, m.Type)
	}
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	d, remembered := wire.NewDecoder()
	most := 0
	for n := range 5000 {
		id := strconv.Itoa(n)
		_, errs := decode(d,
			`{"type":"tool_start","toolCallId":"`+id+`","toolName":"todo_add","args":{"content":"`+id+`"}}`,
			`{"type":"tool.approval_required","request":{"approvalId":"a`+id+`","toolCallId":"`+id+`"}}`,
			`{"type":"tool.approval_required","request":{"approvalId":"b`+id+`","toolCallId":"`+id+`"}}`,
			`{"type":"approval.resolved","approvalId":"a`+id+`","decision":"deny"}`,
			`{"type":"clarify.request","requestId":"`+id+`","question":"?","default":"x"}`,
			`{"type":"tool_start","toolCallId":"t","toolName":"todo_add","args":{"content":"`+id+`"}}`,
			`{"type":"tool_end","toolCallId":"t","toolName":"todo_add","ok":true,"durationMs":1,"result":"{\"id\":\"`+id+`\"}"}`)
		require.Empty(t, errs)
		most = max(most, remembered())
	}
	require.Less(t, most, 3000)
}

// FuzzDecode feeds streams to decoders. They must never panic, their events
// must be encodable, and two decoders must yield the same events.
func FuzzDecode(f *testing.F) {
	f.Add("[boot]\n" + `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":3,"event":{"type":"text_delta","text":"\ud800"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":3,"event":{"type":"text_delta","text":"b"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"result":{"text":"b","turnCount":1}}`)
	f.Add(`{"type":"tool_start","toolCallId":"a","toolName":"todo_set","args":{"todos":[{"content":"\udc00"}]}}` + "\n" +
		`{"type":"tool_end","toolCallId":"a","toolName":"todo_set","ok":true,"durationMs":1,"result":"{\"ids\":[\"1\"]}"}`)
	f.Add(`{"type":"tool_progress","toolName":"_budget","message":"m","audience":"user"}` + "\n" + `{"type":"halt","message":"m"}`)
	f.Add(`{"type":"clarify.request","requestId":"q","question":"\ud83d?","options":["a"],"default":"a"}` + "\n" + `{"type":"clarify.resolved","requestId":"q","source":"timeout-default"}`)
	f.Add(`{"type":"tool.approval_required","request":{"approvalId":"\ud800","toolCallId":"c","args":{"a":1}}}` + "\n" + `{"type":"approval.resolved","approvalId":"\ud800","decision":"deny"}`)
	f.Add(`{"jsonrpc":"2.0","id":[],"error":{"code":1,"message":"\ud800"}}` + "\n" + `{"type":"run.update","x":"\udfff"}`)
	f.Fuzz(func(t *testing.T, stream string) {
		lines := strings.Split(strings.ToValidUTF8(stream, "?"), "\n")
		events, _ := decode(wire.Dialect.NewDecoder(), lines...)
		for _, e := range events {
			require.True(t, json.Valid([]byte(e)), "%s", e)
			require.True(t, utf8.ValidString(e), "%q", e)
		}
		again, _ := decode(wire.Dialect.NewDecoder(), lines...)
		require.Equal(t, events, again)
	})
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
