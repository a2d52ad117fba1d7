package wire_test

import (
	"testing"

	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// BenchmarkDecode decodes lines in the format of `ethos acp`, and one kind in
// the web API's format.
func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"text_delta","text":"the next few words %d"}}}`},
		{"text, numbered", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"text_delta","text":"the next few words","seq":%d}}}`},
		{"text, web", `{"type":"text_delta","text":"the next few words %d"}`},
		{"tool start", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"tool_start","toolCallId":"call_1","toolName":"my_tool","args":{"limit":%d}}}}`},
		{"tool start, read_file", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"tool_start","toolCallId":"call_1","toolName":"read_file","args":{"path":"/a/b.go","limit":%d}}}}`},
		{"tool output", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"tool_output","toolCallId":"call_1","text":"ok\n","seq":%d}}}`},
		{"tool end", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"tool_end","toolCallId":"call_1","toolName":"read_file","ok":true,"durationMs":%d,"result":"ok"}}}`},
		{"11 KB result", `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"tool_end","toolCallId":"call_1","toolName":"read_file","ok":true,"result":"` + agenttest.LongResult + `","unknown":%d}}}`},
	})
}
