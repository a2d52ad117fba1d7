package agenttest

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// A Line is a line for [BenchmarkDecode]: its name and its text. Each %d in the text is
// replaced by a number that changes from line to line.
type Line [2]string

// LongResult is the JSON text of an 11 KB result.
var LongResult = strings.Repeat(`a line of \"results\"\n`, 500)

// BenchmarkDecode decodes each line repeatedly, as in a stream. Each line must produce
// one event.
func BenchmarkDecode(b *testing.B, d dialect.Dialect, lines []Line) {
	b.Helper()
	for _, l := range lines {
		b.Run(l[0], func(b *testing.B) {
			var texts [][]byte
			for i := range 100 {
				texts = append(texts, []byte(strings.ReplaceAll(l[1], "%d", strconv.Itoa(100+i))))
			}
			decoder, n := d.NewDecoder(), 0
			count := func(agent.Event) bool { n++; return true }
			require.NoError(b, decoder.Decode(texts[0], count))
			b.SetBytes(int64(len(texts[0])))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				dialect.Decode(decoder, slog.Default(), texts[i%len(texts)], count)
				i++
			}
			require.Equal(b, i+1, n)
		})
	}
}
