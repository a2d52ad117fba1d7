package wire_test

import (
	"testing"

	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// event returns a line in AgentB's format, with ids of realistic length.
func event(kind, data string) string {
	return `{"type":"` + kind + `","timestamp":"2026-03-02T09:15:00.%dZ","runId":"0b6ff6a2-6f0e-4f63-9b0c-0c3f8f1f6a11","threadId":"5a1f3c9e-9a44-4a0e-8f51-7d2f0f3f9b22","data":` + data + `}`
}

func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text, numbered", event("thread.message.delta", `{"messageId":"c7a0b1d2-1e2f-4a3b-8c4d-5e6f7a8b9c33","delta":{"contentChunk":" of herring"}}`)},
		{"tool start", event("thread.run.step.tool_call.created", `{"toolCall":{"id":"call_%d","type":"function","function":{"name":"getPrice","arguments":"{\"item\":\"herring\"}"}}}`)},
		{"step", event("agent.run.step.created", `{"stepId":"s%d"}`)},
	})
}
