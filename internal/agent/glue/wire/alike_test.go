package wire_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/glue/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// reversed returns a line with the order of its members reversed, and with
// unknown members before and after them.
func reversed(line string) string {
	members := []string{`"unknownBefore":[1,{"type":"done"}]`}
	o := rawjson.Walk([]byte(line))
	for {
		key, value, ok := o.Next()
		if !ok {
			break
		}
		members = append(members, `"`+string(key)+`" : `+string(value))
	}
	members = append(members, `"unknownAfter":{"text":"x"}`)
	slices.Reverse(members)
	return "{ " + strings.Join(members, " , ") + "}"
}

// withoutTelemetry drops the events that repeat their line.
func withoutTelemetry(events []string) []string {
	return slices.DeleteFunc(events, func(e string) bool { return strings.HasPrefix(e, `{"type":"telemetry"`) })
}

func TestMembersMayComeInAnyOrder(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	for _, path := range files {
		var all []string
		for _, line := range lines(t, path) {
			all = append(all, reversed(line))
		}
		require.Equal(t, withoutTelemetry(decoded(t, lines(t, path)...)), withoutTelemetry(decoded(t, all...)), path)
	}
}

// requireAlike requires that a line with a piece of text decodes as when
// decoded alone, after any number of similar lines.
func requireAlike(t *testing.T, line string) {
	t.Helper()
	d := wire.Dialect.NewDecoder()
	first, err := decode(t, d, line)
	if err != nil || len(first) != 1 || !strings.Contains(first[0], "_delta\"") {
		return
	}
	for range 2 {
		again, err := decode(t, d, line)
		require.NoError(t, err)
		require.Equal(t, first, again, line)
	}
}

func chunkAt(time, sequence, rest string) string {
	return `{"type":"AssistantChunkEvent","turnId":"t","timestamp":"` + time + `","sequence":` + sequence + `,` + rest + `}`
}

func TestPiecesDecodeTheSameAfterOthers(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for _, line := range []string{
		`{"type":"assistant_message","text":"plain"}`,
		`{"type":"assistant_message","text":"a\n\"\\\u00e4\ud83d\ude42"}`,
		`{"type":"assistant_message","text":"b"}`,
		`{"type":"assistant_message","text":""}`,
		`{"type":"assistant_message"}`,
		` { "type" : "AgentTextDelta" , "delta" : "half \ud83d" } `,
		`{"type":"assistant_thinking","text":"\ude42 half"}`,
		`{"type":"assistant_thinking","text":"on"}`,
		`{"type":"AgentThinkingDelta","delta":""}`,
		chunkAt("2026-01-01T00:00:00.000009Z", "9", `"delta":"a\ud83d","kind":"text"`),
		chunkAt("2026-01-01T00:00:00.010000Z", "10", `"delta":"","kind":"text"`),
		chunkAt("2026-01-01T00:00:01.2Z", "12", `"kind":"thinking","delta":"y"`),
		chunkAt("2026-01-01T00:00:01.2Z", "12", `"kind":"text","delta":"z"`),
		`{"type":"AssistantChunkEvent","delta":"x","sequence":14,"timestamp":"2026","kind":"text"}`,
		`{"type":"AssistantChunkEvent","timestamp":1,"sequence":-3,"delta":"x","timestamp":"2","kind":"text"}`,
		`{"type":"AssistantChunk","delta":"hm","kind":"thinking"}`,
		`{"type":"RuntimeCommandOutputEvent","commandId":"c","stream":"stderr","text":"o\ud83d"}`,
		`{"type":"RuntimeCommandOutputEvent","commandId":"c","stream":"stderr","text":"p"}`,
	} {
		requireAlike(t, line)
		got, err := decode(t, d, line)
		require.NoError(t, err)
		require.Equal(t, decoded(t, line), got, line)
	}
	got, err := decode(t, d, chunkAt("2026", "1", `"delta":"{\"a","kind":"toolCallArgs"`))
	require.NoError(t, err)
	require.Contains(t, got[0], `"telemetry"`)
}
