package v1

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// calls are updates, with whether they are parsed quickly.
var calls = map[string]bool{
	`{"sessionUpdate":"tool_call","toolCallId":"c","title":"a\"\u00e9 \ud800","name":"n","kind":"read","status":"pending"}`:                                       true,
	`{"sessionUpdate":"tool_call","toolCallId":"c","rawInput":{"a":[1, null]},"rawOutput":null,"locations":[{"path":"p","line":3}],"_meta":{"a":{"b":1e3}}}`:      true,
	` { "content" : [ { "content" : { "text" : "a\nb" , "type" : "text" } , "type" : "content" } ] , "toolCallId" : "" , "sessionUpdate" : "tool_call_update" } `: true,
	`{"sessionUpdate":"tool_call_update","content":[]}`: true,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"content","content":{"type":"text","text":"x"}},{"type":"diff","path":"p","newText":"n"}]}`: true,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"content","content":{"type":"text","text":"x","annotations":{}}}],"locations":null}`:        true,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"terminal","terminalId":"t"}],"_meta":null}`:                                                true,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":null}`:                                                                                               false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[{"type":"other"}]}`:                                                                                 false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","content":[1]}`:                                                                                                false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","title":null}`:                                                                                                 false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"a","title":"b"}`:                                                                                      false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c","more":1}`:                                                                                                     false,
	`{"sessionUpdate":"tool_call_update","toolCallId":"c"`:                                                                                                               false,
	`{"sessionUpdate":"plan","toolCallId":"c"}`:                                                                                                                          false,
	`{"toolCallId":"c"}`: false,
	"{\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"c\",\"title\":\"\x80\"}": false,
}

func TestACallThatIsReadQuicklyIsReadAsAnyUpdateIs(t *testing.T) {
	for raw, quick := range calls {
		require.Equal(t, quick, quickCall([]byte(raw)) != nil, raw)
		sameCall(t, []byte(raw))
	}
}

func sameCall(t *testing.T, raw []byte) {
	t.Helper()
	c := quickCall(raw)
	if c == nil {
		return
	}
	want, err := unmarshalUpdate(raw)
	require.NoError(t, err, "%s", raw)
	require.Equal(t, want, c, "%s", raw)
}

func FuzzQuickCall(f *testing.F) {
	for raw := range calls {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if json.Valid(raw) {
			sameCall(t, raw)
		}
	})
}
