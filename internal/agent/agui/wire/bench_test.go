package wire_test

import (
	"testing"

	"github.com/turnwire/turnwire/internal/agent/agui/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"the next few words %d"}`},
		{"text, numbered", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"the next few words","timestamp":1790000000%d}`},
		{"tool start", `{"type":"TOOL_CALL_START","toolCallId":"call_%d","toolCallName":"bash","timestamp":1790000000%d}`},
		{"tool arguments", `{"type":"TOOL_CALL_ARGS","toolCallId":"call_%d","delta":"{\"command\":\"make\"}","timestamp":1790000000%d}`},
		{"tool end", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"call_%d","content":"ok"}`},
		{"11 KB result", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"call_%d","content":"` + agenttest.LongResult + `"}`},
	})
}
