package wire_test

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/ethos/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// BenchmarkDecode decodes lines as `ethos acp` writes them, and one kind as the
// web API does.
func BenchmarkDecode(b *testing.B) {
	result := strings.Repeat(`a line of \"results\"\n`, 500)
	for _, c := range []struct{ name, event string }{
		{"text", `{"type":"text_delta","text":"the next few words %d"}`},
		{"text, numbered", `{"type":"text_delta","text":"the next few words","seq":%d}`},
		{"text, web", `{"type":"text_delta","text":"the next few words %d"}`},
		{"tool start", `{"type":"tool_start","toolCallId":"call_1","toolName":"my_tool","args":{"limit":%d}}`},
		{"tool start, read_file", `{"type":"tool_start","toolCallId":"call_1","toolName":"read_file","args":{"path":"/a/b.go","limit":%d}}`},
		{"tool output", `{"type":"tool_output","toolCallId":"call_1","text":"ok\n","seq":%d}`},
		{"tool end", `{"type":"tool_end","toolCallId":"call_1","toolName":"read_file","ok":true,"durationMs":%d,"result":"ok"}`},
		{"11 KB result", `{"type":"tool_end","toolCallId":"call_1","toolName":"read_file","ok":true,"result":"` + result + `","unknown":%d}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			line := c.event
			if !strings.HasSuffix(c.name, "web") {
				line = `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":` + c.event + `}}`
			}
			var lines [][]byte
			for i := range 100 {
				lines = append(lines, []byte(strings.ReplaceAll(line, "%d", strconv.Itoa(100+i))))
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
