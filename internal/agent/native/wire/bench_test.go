package wire_test

import (
	"strings"
	"testing"

	"github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// BenchmarkDecode decodes typical lines.
func BenchmarkDecode(b *testing.B) {
	words := "The quick brown fox jumps over the lazy dog, again and "
	cyrillic := strings.Repeat(`строка результата\n`, 350)
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"type":"text_delta","text":"` + words + `"}`},
		{"text, one unknown member", `{"type":"text_delta","text":"` + words + `","seq":%d}`},
		{"text, type second", `{"text":"` + words + `%d","type":"text_delta","seq":%d}`},
		{"tool_start", `{"type":"tool_start","toolCallId":"call_%d","toolName":"read_file","args":{"path":"/a/b.go"},"title":"Read b.go","seq":%d}`},
		{"tool_output", `{"seq":%d,"type":"tool_output","toolCallId":"call_%d","text":"ok\n"}`},
		{"tool_end", `{"type":"tool_end","toolCallId":"call_%d","toolName":"read_file","ok":true,"durationMs":12,"result":"ok","seq":%d,"ts":1700000000}`},
		{"tool_progress", `{"type":"tool_progress","toolCallId":"call_%d","message":"half","percent":50,"audience":"user","seq":%d}`},
		{"confirmation", `{"type":"tool_confirmation_request","confirmationId":"c%d","toolCallId":"call_%d","toolName":"bash","args":{"command":"ls"},"decisions":["allow_once","reject_once"]}`},
		{"usage", `{"type":"usage","inputTokens":%d,"outputTokens":2,"estimatedCostUsd":0.1,"id":"%d"}`},
		{"11 KB result", `{"type":"tool_end","toolCallId":"call_%d","ok":true,"result":"` + agenttest.LongResult + `","seq":%d}`},
		{"11 KB result, Cyrillic", `{"type":"tool_end","toolCallId":"call_%d","ok":true,"result":"` + cyrillic + `","seq":%d}`},
	})
}
