package agentao_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentao"
	native "github.com/turnwire/turnwire/agent/native/wire"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// pieces are what models stream.
var pieces = []string{"The ", "notes", " say", " that", ` \"milk\"`, " is", " to", " be", " bought,\\n", "and", " bread", "."}

func BenchmarkTextDelta(b *testing.B) {
	for _, c := range []struct {
		name   string
		d      dialect.Dialect
		format string // of a text and a number
	}{
		{"native", native.Dialect, `{"type":"text_delta","text":"%[1]s"}`},
		{"agentao", agentao.Dialect, `{"type": "llm_text", "schema_version": 1, "data": {"chunk": "%[1]s"}}`},
		{"replay", agentao.Dialect, `{"event_id": "0123456789ab", "session_id": "s", "instance_id": "i", "seq": %[2]d, "ts": "2026-03-01T10:00:00+00:00", "kind": "assistant_text_chunk", "turn_id": "t", "parent_turn_id": null, "payload": {"chunk": "%[1]s"}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			lines := make([][]byte, len(pieces))
			for i, p := range pieces {
				lines[i] = line(c.format, p, 100+i)
			}
			d := c.d.NewDecoder()
			take := func(agent.Event) bool { return true }
			for b.ReportAllocs(); b.Loop(); {
				for _, line := range lines {
					_ = d.Decode(line, take)
				}
			}
		})
	}
}

// line fills a format that may have no place for the number.
func line(format, text string, n int) []byte {
	if !strings.Contains(format, "%[2]d") {
		return fmt.Appendf(nil, format, text)
	}
	return fmt.Appendf(nil, format, text, n)
}
