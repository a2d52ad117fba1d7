package wire_test

import (
	"fmt"
	"testing"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentb/wire"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// BenchmarkTextDelta decodes the same pieces of text as events of the native
// dialect and as AgentB's, with ids as long as those that it makes.
func BenchmarkTextDelta(b *testing.B) {
	pieces := []string{"The", " price", " of", " herring", " is", " *three*", " crowns", ".\\n", " “Cheap”,", " they say"}
	var plain, own [][]byte
	for i, p := range pieces {
		plain = append(plain, fmt.Appendf(nil, `{"type":"text_delta","text":"%s"}`, p))
		own = append(own, fmt.Appendf(nil, `{"type":"thread.message.delta","timestamp":"2026-03-02T09:15:00.%03dZ","runId":"0b6ff6a2-6f0e-4f63-9b0c-0c3f8f1f6a11","threadId":"5a1f3c9e-9a44-4a0e-8f51-7d2f0f3f9b22","data":{"messageId":"c7a0b1d2-1e2f-4a3b-8c4d-5e6f7a8b9c33","delta":{"contentChunk":"%s"}}}`, 7*i, p))
	}
	for _, c := range []struct {
		dialect dialect.Dialect
		lines   [][]byte
	}{{native.Dialect, plain}, {wire.Dialect, own}} {
		b.Run(c.dialect.Name, func(b *testing.B) {
			d := c.dialect.NewDecoder()
			yield := func(agent.Event) bool { return true }
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := d.Decode(c.lines[i%len(c.lines)], yield); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
