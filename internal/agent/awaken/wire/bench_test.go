package wire_test

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
)

// BenchmarkDecode decodes lines in Awaken's format.
func BenchmarkDecode(b *testing.B) {
	words := "The roses in the second bed look thirsty, so "
	result := strings.Repeat(`a line of \"results\"\n`, 500)
	for _, c := range []struct{ name, line string }{
		{"text", textDelta(words + "%d")},
		{"text, older", strings.Replace(older("text_delta", `{"delta":"`+words+`"}`), `:7,`, ":%d,", 1)},
		{"text, fact", fact("%d", "TextDeltaObserved", textDelta(words))},
		{"thinking", `{"event_type":"reasoning_delta","delta":"` + words + `%d"}`},
		{"arguments", `{"event_type":"tool_call_delta","id":"call_1","args_delta":"%d"}`},
		{"tool start", ready("call_%d")},
		{"tool output", `{"event_type":"tool_call_stream_delta","id":"call_%d","name":"deploy","delta":"ok\n"}`},
		{"tool end", done("call_%d")},
		{"11 KB result", strings.Replace(done("call_%d"), `"up"`, `"`+result+`","unknown":1`, 1)},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := wire.Dialect.NewDecoder()
			n := 0
			count := func(agent.Event) bool { n++; return true }
			var lines [][]byte
			for i := range 100 {
				id := strconv.Itoa(100 + i)
				require.NoError(b, d.Decode([]byte(ready("call_"+id)), count))
				lines = append(lines, []byte(strings.ReplaceAll(c.line, "%d", id)))
			}
			n = 0
			b.SetBytes(int64(len(lines[0])))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				dialect.Decode(d, slog.Default(), lines[i%len(lines)], count)
				i++
			}
			require.Equal(b, i, n)
		})
	}
}
