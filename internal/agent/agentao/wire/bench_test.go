package wire_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// BenchmarkDecode decodes lines in Agentao's format.
func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"type": "llm_text", "schema_version": 1, "data": {"chunk": "The notes say %d"}}`},
		{"text, numbered", `{"event_id": "0123456789ab", "session_id": "s", "instance_id": "i", "seq": %d, "ts": "2026-03-01T10:00:00+00:00", "kind": "assistant_text_chunk", "turn_id": "t", "parent_turn_id": null, "payload": {"chunk": "The notes"}}`},
		{"thinking", `{"type": "thinking", "schema_version": 1, "data": {"text": "The notes say %d"}}`},
		{"tool output", `{"type": "tool_output", "schema_version": 1, "data": {"tool": "run_shell_command", "chunk": "ok %d\n", "call_id": "call_1"}}`},
		{"tool output, numbered", `{"seq": %d, "kind": "tool_output_chunk", "payload": {"tool": "run_shell_command", "chunk": "ok\n", "call_id": "call_1"}}`},
	})
}

// BenchmarkDecodeCall decodes the lines of a tool call: its start, its end and
// its result.
func BenchmarkDecodeCall(b *testing.B) {
	begin := []byte(`{"type": "turn_begin", "schema_version": 1, "data": {}}`)
	start := []byte(`{"type": "tool_start", "schema_version": 1, "data": {"tool": "my_tool", "args": {"path": "/a/b.go"}, "call_id": "call_1"}}`)
	end := []byte(`{"type": "tool_complete", "schema_version": 1, "data": {"tool": "my_tool", "call_id": "call_1", "status": "ok", "duration_ms": 12}}`)
	for _, c := range []struct{ name, content string }{
		{"short result", "ok"},
		{"11 KB result", agenttest.LongResult},
	} {
		b.Run(c.name, func(b *testing.B) {
			result := []byte(`{"type": "tool_result", "schema_version": 1, "data": {"tool": "my_tool", "call_id": "call_1", "status": "ok", "unknown": 1, "content": "` + c.content + `"}}`)
			lines := [][]byte{begin, start, end, result}
			d := wire.Dialect.NewDecoder()
			n, size := 0, int64(0)
			count := func(agent.Event) bool { n++; return true }
			for _, line := range lines {
				size += int64(len(line))
			}
			b.SetBytes(size)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				for _, line := range lines {
					dialect.Decode(d, slog.Default(), line, count)
				}
				i++
			}
			require.Equal(b, 3*i, n)
		})
	}
}
