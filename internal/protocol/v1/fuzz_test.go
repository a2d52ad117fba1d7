package v1_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// whole contains an example with every member for each type that peers send.
var whole = []struct {
	make func() any
	text string
}{
	{func() any { return new(v1.InitializeRequest) }, `{"protocolVersion":1,"clientInfo":{"name":"e","title":"E","version":"1"},"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true,"auth":{"terminal":true},"session":{"notices":{},"compaction":[],"configOptions":{"boolean":{}}},"elicitation":{"form":{},"url":{}},"_meta":{"turnwire.dev/events":true}}}`},
	{func() any { return new(v1.AuthenticateRequest) }, `{"methodId":"none"}`},
	{func() any { return new(v1.NewSessionRequest) }, `{"cwd":"/project","additionalDirectories":["/more"],"mcpServers":[{"name":"m","command":"c","args":[],"env":[]}],"_meta":{"a":1e40}}`},
	{func() any { return new(v1.PromptRequest) }, `{"sessionId":"S1","prompt":[{"type":"text","text":"\ud83da","_meta":{}},{"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"","mimeType":"a"},{"type":"resource_link","uri":"file:///a","name":"a","title":"b","description":"c","mimeType":"d","size":7},{"type":"resource","resource":{"uri":"file:///a","mimeType":"b","text":"c","blob":"d"}}]}`},
	{func() any { return new(v1.CancelNotification) }, `{"sessionId":"S1"}`},
	{func() any { return new(v1.CloseSessionRequest) }, `{"sessionId":"S1","_meta":null}`},
	{func() any { return new(v1.SetConfigOptionRequest) }, `{"sessionId":"S1","configId":"loud","type":"boolean","value":true}`},
	{func() any { return new(v1.SetModeRequest) }, `{"sessionId":"S1","modeId":"do"}`},
	{func() any { return new(v1.CancelRequestNotification) }, `{"requestId":"a"}`},
	{func() any { return new(v1.RequestPermissionResponse) }, `{"outcome":{"outcome":"selected","optionId":"allow_once"}}`},
	{func() any { return new(v1.ElicitationResponse) }, `{"action":"accept","content":{"answer":["a","b"],"other":"c"}}`},
	{func() any { return new(v1.ReadTextFileResponse) }, `{"content":"a\nb"}`},
	{func() any { return new(v1.WriteTextFileResponse) }, `{}`},
	{func() any { return new(v1.InitializeResponse) }, `{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"mcpCapabilities":{"http":true},"sessionCapabilities":{"close":{}}},"agentInfo":{"name":"a","version":"1"},"authMethods":[{"id":"l","name":"L","description":"d"}]}`},
	{func() any { return new(v1.NewSessionResponse) }, `{"sessionId":"S1","modes":{"currentModeId":"m","availableModes":[{"id":"m","name":"M"}]},"configOptions":[{"id":"a","name":"A","type":"select","currentValue":"x","options":[{"group":"g","name":"G","options":[{"value":"x","name":"X"}]}]},{"id":"b","name":"B","type":"boolean","currentValue":false}]}`},
	{func() any { return new(v1.PromptResponse) }, `{"stopReason":"end_turn","_meta":{"a":[{"b":null}]}}`},
	{func() any { return new(v1.SetConfigOptionResponse) }, `{"configOptions":[{"id":"a","name":"A","type":"select","currentValue":"x","options":[{"value":"x","name":"X"}]}]}`},
	{func() any { return new(v1.RequestPermissionRequest) }, `{"sessionId":"S1","toolCall":{"toolCallId":"c","title":"t","kind":"edit","status":"pending","content":[{"type":"diff","path":"p","oldText":null,"newText":"n"},{"type":"terminal","terminalId":"t"},{"type":"content","content":{"type":"text","text":"x"}}],"locations":[{"path":"p","line":3}],"rawInput":{"a":1},"rawOutput":[]},"options":[{"optionId":"o","name":"n","kind":"allow_once"}]}`},
	{func() any { return new(v1.ElicitationRequest) }, `{"sessionId":"S1","mode":"form","message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","enum":["x"]}}},"required":["a"]}}`},
}

// Anything that can be decoded can be encoded, with the same meaning.
func FuzzRequestsAndAnswers(f *testing.F) {
	for i, w := range whole {
		f.Add(byte(i), []byte(w.text))
		f.Add(byte(i), []byte(`[]`))
	}
	f.Fuzz(func(t *testing.T, kind byte, data []byte) {
		data = rawjson.CleanValue(rawjson.Valid(data)) // as it comes from the stream
		fresh := whole[int(kind)%len(whole)].make
		first := fresh()
		if exactjson.Unmarshal(data, first) != nil {
			return
		}
		written := sent(first)
		require.True(t, json.Valid(written) && utf8.Valid(written), "%q", written)
		second := fresh()
		require.NoError(t, exactjson.Unmarshal(written, second), "%s", written)
		require.Equal(t, string(written), string(sent(second)))
	})
}

func TestTheExamplesAreRead(t *testing.T) {
	for _, w := range whole {
		v := w.make()
		require.NoError(t, exactjson.Unmarshal([]byte(w.text), v), w.text)
	}
}

// sent returns a message as it is sent.
func sent(v any) []byte {
	if a, ok := v.(interface{ AppendJSON(dst []byte) []byte }); ok {
		return a.AppendJSON(nil)
	}
	return v1.AppendValue(nil, v)
}

func FuzzUpdates(f *testing.F) {
	for _, text := range []string{
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a"},"messageId":"m","_meta":{"a":1}}`,
		`{"sessionUpdate":"agent_thought_chunk","content":{"type":"resource_link","name":"n","uri":"u","size":-1}}`,
		`{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"read","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"x"}}],"rawInput":{"a":1}}`,
		`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"diff","path":"p","newText":"n"}],"locations":[{"path":"p","line":1}]}`,
		`{"sessionUpdate":"plan","entries":[{"content":"a","priority":"high","status":"pending"}]}`,
		`{"sessionUpdate":"available_commands_update","availableCommands":[{"name":"n","description":"d","input":{"hint":"h"}}]}`,
		`{"sessionUpdate":"current_mode_update","currentModeId":"m"}`,
		`{"sessionUpdate":"config_option_update","configOptions":[{"id":"a","name":"A","type":"boolean","currentValue":true}]}`,
		`{"sessionUpdate":"session_info_update","title":"t","updatedAt":"2026-01-01T00:00:00Z"}`,
		`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.5,"currency":"USD"}}`,
		`{"sessionUpdate":"notice","severity":"warning","title":"t","description":"d"}`,
		`{"sessionUpdate":"compaction_update","compactionId":"c","status":"completed","summary":[{"type":"text","text":"s"}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := v1.UnmarshalUpdate(rawjson.CleanValue(rawjson.Valid(data)))
		if err != nil {
			require.Nil(t, first)
			return
		}
		written := first.AppendJSON(nil)
		require.True(t, json.Valid(written) && utf8.Valid(written), "%q", written)
		second, err := v1.UnmarshalUpdate(written)
		require.NoError(t, err, "%s", written)
		require.Equal(t, first.UpdateType(), second.UpdateType())
		require.Equal(t, string(written), string(second.AppendJSON(nil)))
	})
}
