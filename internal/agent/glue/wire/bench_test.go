package wire_test

import (
	"testing"

	"github.com/turnwire/turnwire/internal/agent/glue/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// BenchmarkDecode decodes lines in Glue's format.
func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"type":"assistant_message","text":" the parser reads %d"}`},
		{"text of a class", `{"type":"AgentTextDelta","delta":" the parser reads %d"}`},
		{"text, numbered", `{"type":"AssistantChunkEvent","turnId":"turn-1","timestamp":"2026-09-21T14:02:01.%dZ","sequence":%d,"delta":" the parser","kind":"text"}`},
		{"tool start", `{"type":"tool_call","id":"call_1","name":"files.stat","arguments":{"path":"/a/b.go"},"seq":%d}`},
		{"tool start, read_file", `{"type":"tool_call","id":"call_1","name":"read_file","arguments":{"path":"/a/b.go"},"seq":%d}`},
		{"tool output", `{"type":"RuntimeCommandOutputEvent","turnId":"turn-1","timestamp":"2026-09-21T14:02:01.%dZ","sequence":%d,"commandId":"cmd-1","stream":"stdout","text":"ok\n"}`},
		{"tool end", `{"type":"tool_result","call_id":"call_1","success":true,"content":"ok","summary":"Read","duration_ms":%d}`},
		{"11 KB result", `{"type":"tool_result","call_id":"call_1","success":true,"content":"` + agenttest.LongResult + `","unknown":%d}`},
	})
}
