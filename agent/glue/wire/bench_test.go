package wire_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/glue/wire"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// pieces are of the length that models stream.
var pieces = []string{" the", " parser", " reads", " one line", ",\\n", " and", " the \\\"type\\\"", " of", " it", " first"}

// BenchmarkTextDelta compares the same text in the native dialect, in Glue's
// AgentEvents, and in the session contract, whose lines also have a number and
// a time.
func BenchmarkTextDelta(b *testing.B) {
	number := 1000 // as long for all lines: another digit comes once in a stream
	for _, c := range []struct {
		name   string
		d      dialect.Dialect
		format func(piece string) string
	}{
		{"native", native.Dialect, func(p string) string { return `{"type":"text_delta","text":"` + p + `"}` }},
		{"glue", wire.Dialect, func(p string) string { return `{"type":"assistant_message","text":"` + p + `"}` }},
		{"class", wire.Dialect, func(p string) string { return `{"type":"AgentTextDelta","delta":"` + p + `"}` }},
		{"session", wire.Dialect, func(p string) string {
			number++
			return fmt.Sprintf(`{"type":"AssistantChunkEvent","turnId":"turn-1","timestamp":"2026-09-21T14:02:01.%06dZ","sequence":%d,"delta":"%s","kind":"text"}`, number, number, p)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var lines [][]byte
			for i := range 100 {
				lines = append(lines, []byte(c.format(pieces[i%len(pieces)])))
			}
			d := c.d.NewDecoder()
			n := 0
			take := func(agent.Event) bool { n++; return true }
			require.NoError(b, d.Decode(lines[0], take))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_ = d.Decode(lines[i%len(lines)], take)
				i++
			}
			require.Equal(b, i+1, n)
		})
	}
}
