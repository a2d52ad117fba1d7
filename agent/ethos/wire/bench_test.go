package wire_test

import (
	"fmt"
	"testing"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/ethos/wire"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// BenchmarkTextDelta decodes one piece of text, as the native dialect has it,
// and in both ways in which Ethos has it.
func BenchmarkTextDelta(b *testing.B) {
	for _, c := range []struct {
		name    string
		dialect dialect.Dialect
		frame   string
	}{
		{"native", native.Dialect, `{"type":"text_delta","text":"%s %d"}`},
		{"ethos", wire.Dialect, `{"jsonrpc":"2.0","method":"$/stream","params":{"requestId":5,"event":{"type":"text_delta","text":"%s %d"}}}`},
		{"ethos-web", wire.Dialect, `{"type":"text_delta","text":"%s %d"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			lines := make([][]byte, 64)
			for i := range lines {
				lines[i] = fmt.Appendf(nil, c.frame, "the next few words", i)
			}
			d := c.dialect.NewDecoder()
			yield := func(agent.Event) bool { return true }
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := d.Decode(lines[i%len(lines)], yield); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}
