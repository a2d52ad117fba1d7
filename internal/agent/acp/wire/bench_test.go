package wire

import (
	"fmt"
	"testing"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// BenchmarkTextDelta decodes the same text in this dialect and in the native
// one.
func BenchmarkTextDelta(b *testing.B) {
	const pieces = 64
	var natively, here [][]byte
	for i := range pieces {
		text := fmt.Sprintf("piece %d of an answer about tea, ", i)
		natively = append(natively, fmt.Appendf(nil, `{"type":"text_delta","text":%q}`, text))
		here = append(here, []byte(textLine(text)))
	}
	run := func(name string, d dialect.Decoder, lines [][]byte) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			yield := func(agent.Event) bool { return true }
			for i := 0; b.Loop(); i++ {
				if err := d.Decode(lines[i%pieces], yield); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("native", native.Dialect.NewDecoder(), natively)
	run("acp", Dialect.NewDecoder(), here)
}
