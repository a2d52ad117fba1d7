package wire_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/aisdk/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// decode returns the events of a stream, and the errors of its lines.
func decode(t *testing.T, in []byte) (events []string) {
	t.Helper()
	d := wire.Dialect.NewDecoder()
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		wire.Dialect.Recognise(line)
		err := d.Decode(line, func(e agent.Event) bool {
			text := agent.AppendJSON(nil, e)
			require.True(t, json.Valid(text), "%s", text)
			events = append(events, string(text))
			return true
		})
		if err != nil {
			events = append(events, err.Error())
		}
	}
	return events
}

// Decoders depend on the lines alone.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(archive.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = rawjson.Valid(in)
		before := string(in)
		first := decode(t, in)
		require.Equal(t, before, string(in), "the lines are not written to")
		require.Equal(t, first, decode(t, in))
	})
}

func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, wire.Dialect, []agenttest.Line{
		{"text", `{"type":"text-delta","id":"0","delta":"the next few words %d"}`},
		{"tool start", `{"type":"tool-input-start","toolCallId":"call_%d","toolName":"bash","dynamic":false}`},
		{"tool end", `{"type":"tool-output-available","toolCallId":"call_%d","output":"ok"}`},
		{"11 KB result", `{"type":"tool-output-available","toolCallId":"call_%d","output":"` + agenttest.LongResult + `"}`},
	})
}
