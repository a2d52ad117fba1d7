package wire_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/glue/wire"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// lines returns the lines of a golden file's stream.
func lines(t testing.TB, path string) []string {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(archive.Files[0].Data)), "\n")
}

func TestEveryTypeIsRecognisedAndKnown(t *testing.T) {
	for _, name := range wire.Dialect.Types() {
		path := filepath.Join("testdata", "variants", strings.ReplaceAll(name, ":", "_")+".txtar")
		all := lines(t, path)
		for _, line := range all {
			require.True(t, wire.Dialect.Recognise([]byte(line)), "%s: %s", name, line)
		}
		typ := name[strings.IndexByte(name, ':')+1:]
		require.Contains(t, all[len(all)-1], `"`+typ+`"`, "the last line is the variant")
		d := wire.Dialect.NewDecoder()
		for _, line := range all {
			require.NoError(t, d.Decode([]byte(line), func(e agent.Event) bool {
				_, unknown := e.(*agent.Unknown)
				require.False(t, unknown, line)
				return true
			}), line)
		}
	}
	files, err := os.ReadDir(filepath.Join("testdata", "variants"))
	require.NoError(t, err)
	require.Len(t, files, len(wire.Dialect.Types()))
}

func TestOtherDialectsAreNotRecognised(t *testing.T) {
	for _, v := range agent.Variants() {
		line := agent.AppendJSON(nil, v.New())
		require.True(t, native.Dialect.Recognise(line))
		require.False(t, wire.Dialect.Recognise(line), "%s", line)
	}
	for _, line := range []string{
		``, `x`, `{}`, `[]`, `{"type":7}`, `{"type":"assistant_message","text":"half`,
		`{"type":"assistant_message","content":"other members"}`,
		`{"type":"tool_call","schema_version":1,"data":{"id":"a","name":"b","arguments":{}}}`,
		`{"type":"tool_call","id":"a","name":"b","arguments":{},"runId":"r"}`,
		`{"type":"tool_result","tool_use_id":"a","content":"b"}`,
		`{"type":"usage","inputTokens":1,"outputTokens":2}`,
		`{"type":"user_message","text":"neither numbered nor dated"}`,
		`{"type":"ErrorEvent","message":"from another program"}`,
		`{"event_type":"AgentDone"}`,
	} {
		require.False(t, wire.Dialect.Recognise([]byte(line)), line)
	}
}

func TestNullIsTheSameAsAbsent(t *testing.T) {
	for _, name := range wire.Dialect.Types() {
		prefix, typ, found := strings.Cut(name, ":")
		if !found {
			prefix, typ = "", name
		}
		more := ""
		switch prefix {
		case "row":
			more = `,"schema_version":1,"event_id":"s:1","sequence":1`
		case "session":
			more = `,"turnId":"t","sequence":1`
		}
		want, err := decode(t, wire.Dialect.NewDecoder(), `{"type":"`+typ+`"`+more+`}`)
		require.NoError(t, err, name)
		var nulls strings.Builder
		for _, member := range []string{"text", "delta", "id", "name", "call", "call_id", "result", "content", "success", "status", "summary", "metadata", "contentParts", "usage", "kind", "message", "error", "title", "inner", "toolCallId", "args", "model", "finalMessage", "elapsed", "recoverable", "exitCode"} {
			nulls.WriteString(`,"` + member + `":null`)
		}
		got, err := decode(t, wire.Dialect.NewDecoder(), `{"type":"`+typ+`"`+more+nulls.String()+`}`)
		require.NoError(t, err, name)
		require.Len(t, got, len(want), name)
		for i := range want {
			if !strings.HasPrefix(want[i], `{"type":"telemetry"`) {
				require.Equal(t, want[i], got[i], name)
			}
		}
	}
}

func TestMalformedEventsCarryTheirBytes(t *testing.T) {
	for line, name := range map[string]string{
		`{"type":"assistant_message","text":5}`:                                                     "assistant_message",
		`{"type":"AgentTextDelta","delta":{}}`:                                                      "AgentTextDelta",
		`{"type":"tool_call","id":[],"name":"x"}`:                                                   "tool_call",
		`{"type":"AgentToolCall","call":"x"}`:                                                       "AgentToolCall",
		`{"type":"AgentToolResult","result":7}`:                                                     "AgentToolResult",
		`{"type":"tool_result","call_id":"a","success":"yes"}`:                                      "tool_result",
		`{"type":"tool_result","call_id":"a","content_parts":{}}`:                                   "tool_result",
		`{"type":"tool_result","call_id":"a","content_parts":[{"bytes":[256]}]}`:                    "",
		`{"type":"tool_result","call_id":"a","content_parts":[{"bytes":[1.5]}]}`:                    "tool_result",
		`{"type":"usage","input_tokens":"many"}`:                                                    "usage",
		`{"type":"subagent_event","subagent_id":"a","inner":"x"}`:                                   "row:subagent_event",
		`{"type":"subagent_event","subagent_id":"a","inner":{"type":"assistant_message","text":1}}`: "row:subagent_event",
		`{"type":"ToolCallProgressEvent","percentComplete":"50"}`:                                   "session:ToolCallProgressEvent",
		`{"type":"PermissionResolvedEvent","requestId":1}`:                                          "session:PermissionResolvedEvent",
	} {
		events, err := decode(t, wire.Dialect.NewDecoder(), line)
		if name == "" {
			require.NoError(t, err, line)
			continue
		}
		var malformed *dialect.MalformedError
		require.ErrorAs(t, err, &malformed, line)
		require.Equal(t, name, malformed.Type)
		require.Equal(t, line, string(malformed.Raw))
		require.Empty(t, events, "a malformed event yields nothing")
	}
}

func TestLinesThatAreNotEvents(t *testing.T) {
	for _, line := range []string{``, ` `, `Resolving…`, `{`, `{}`, `[]`, `null`, `7`, `{"type":null}`, `{"type":1}`, `{"type":"agent_done"} x`} {
		_, err := decode(t, wire.Dialect.NewDecoder(), line)
		require.ErrorIs(t, err, dialect.ErrNotObject, line)
	}
}

func TestUnknownTypesAreKeptAsTheyCame(t *testing.T) {
	line := `{"type":"agent_mood","b":18446744073709551616,"a":{"x" : [1, 2]}}`
	require.Equal(t, []string{line}, decoded(t, "  "+line+"\t"))
}
