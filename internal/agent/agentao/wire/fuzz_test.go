package wire_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func FuzzDecode(f *testing.F) {
	for _, kind := range []string{"variants", "streams"} {
		paths, err := filepath.Glob(filepath.Join("testdata", kind, "*.txtar"))
		require.NoError(f, err)
		require.NotEmpty(f, paths)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(f, err)
			f.Add(txtar.Parse(text).Files[0].Data)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = rawjson.Valid(in)
		before := string(in)
		one := decodeAll(t, wire.Dialect.NewDecoder(), in)
		require.Equal(t, before, string(in), "the lines are not written to")
		require.Equal(t, one, decodeAll(t, wire.Dialect.NewDecoder(), in), "decoders depend on the lines alone")
	})
}

// decodeAll decodes a stream, and checks that readers accept each event.
func decodeAll(t *testing.T, d dialect.Decoder, in []byte) []string {
	t.Helper()
	var got []string
	for line := range bytes.SplitSeq(in, []byte("\n")) {
		err := d.Decode(line, func(e agent.Event) bool {
			requireStrict(t, agent.AppendJSON(nil, clean(e)))
			got = append(got, string(agent.AppendJSON(nil, e)))
			return true
		})
		if err != nil {
			got = append(got, err.Error())
		}
	}
	return got
}

// clean replaces lone surrogates in pieces of text, as the normalizer does.
func clean(e agent.Event) agent.Event {
	switch e := e.(type) {
	case *agent.TextDelta:
		e.Text = e.Text.Clean()
	case *agent.ThinkingDelta:
		e.Thinking = e.Thinking.Clean()
	case *agent.ToolOutput:
		e.Text = e.Text.Clean()
	}
	return e
}
