package control_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude/control"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// decode returns the events of a stream, and the errors of its lines.
func decode(t *testing.T, in []byte) (events []string) {
	t.Helper()
	d := control.Dialect.NewDecoder()
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		control.Dialect.Recognise(line)
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

// Decoders depend on the lines alone, and permit nothing.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("../wire/testdata/*/*.txtar")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(archive.Files[0].Data, "0")
	}
	f.Fuzz(func(t *testing.T, in []byte, option string) {
		in = rawjson.Valid(in)
		before := string(in)
		first := decode(t, in)
		require.Equal(t, before, string(in), "the lines are not written to")
		require.Equal(t, first, decode(t, in))

		host := new(control.Host)
		d := host.Dialect().NewDecoder()
		for line := range bytes.SplitSeq(in, []byte("\n")) {
			_ = d.Decode(line, func(e agent.Event) bool {
				if ask, ok := e.(*agent.ConfirmationRequested); ok && ask.Refusal == "" {
					for _, decision := range []agent.Decision{agent.AllowAlways, agent.RejectOnce, agent.NotDecided, "other"} {
						answer := host.Translate(agent.ConfirmationResponse{ConfirmationID: ask.ConfirmationID, Decision: decision, OptionID: option})
						text, err := json.Marshal(answer)
						require.NoError(t, err)
						if !decision.Allows() {
							require.Contains(t, string(text), `"behavior":"deny"`)
						}
					}
				}
				return true
			})
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	agenttest.BenchmarkDecode(b, control.Dialect, []agenttest.Line{
		{"text", `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"the next few words %d"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u"}`},
		{"text, numbered", `{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"the next few words"}},"session_id":"s","parent_tool_use_id":null,"uuid":"u%d"}`},
		{"tool result", `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"ok","is_error":false}]},"parent_tool_use_id":null,"session_id":"s"}`},
		{"11 KB result", `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t%d","type":"tool_result","content":"` + agenttest.LongResult + `","is_error":false}]},"parent_tool_use_id":null,"session_id":"s"}`},
	})
}
