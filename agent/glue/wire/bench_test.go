package wire_test

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/glue/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// BenchmarkDecode decodes lines as Glue writes them.
func BenchmarkDecode(b *testing.B) {
	result := strings.Repeat(`a line of \"results\"\n`, 500)
	for _, c := range []struct{ name, line string }{
		{"text", `{"type":"assistant_message","text":" the parser reads %d"}`},
		{"text of a class", `{"type":"AgentTextDelta","delta":" the parser reads %d"}`},
		{"text, numbered", `{"type":"AssistantChunkEvent","turnId":"turn-1","timestamp":"2026-09-21T14:02:01.%dZ","sequence":%d,"delta":" the parser","kind":"text"}`},
		{"tool start", `{"type":"tool_call","id":"call_1","name":"files.stat","arguments":{"path":"/a/b.go"},"seq":%d}`},
		{"tool start, read_file", `{"type":"tool_call","id":"call_1","name":"read_file","arguments":{"path":"/a/b.go"},"seq":%d}`},
		{"tool output", `{"type":"RuntimeCommandOutputEvent","turnId":"turn-1","timestamp":"2026-09-21T14:02:01.%dZ","sequence":%d,"commandId":"cmd-1","stream":"stdout","text":"ok\n"}`},
		{"tool end", `{"type":"tool_result","call_id":"call_1","success":true,"content":"ok","summary":"Read","duration_ms":%d}`},
		{"11 KB result", `{"type":"tool_result","call_id":"call_1","success":true,"content":"` + result + `","unknown":%d}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var lines [][]byte
			for i := range 100 {
				lines = append(lines, []byte(strings.ReplaceAll(c.line, "%d", strconv.Itoa(100+i))))
			}
			d := wire.Dialect.NewDecoder()
			n := 0
			count := func(agent.Event) bool { n++; return true }
			require.NoError(b, d.Decode(lines[0], count))
			b.SetBytes(int64(len(lines[0])))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				dialect.Decode(d, slog.Default(), lines[i%len(lines)], count)
				i++
			}
			require.Equal(b, i+1, n)
		})
	}
}
