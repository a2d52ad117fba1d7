package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/glue/wire"
)

// requireCold holds what the hot way made of a line to the slow way.
func requireCold(t *testing.T, line string, hot agent.Event) {
	t.Helper()
	cold, err := wire.Cold([]byte(line))
	require.NoError(t, err, "the hot way took what the slow way refuses: %s", line)
	require.Len(t, cold, 1)
	require.Equal(t, encode(t, cold[0]), string(agent.AppendJSON(nil, hot)), "%s", line)
}

func chunkAt(time, sequence, rest string) string {
	return `{"type":"AssistantChunkEvent","turnId":"t","timestamp":"` + time + `","sequence":` + sequence + `,` + rest + `}`
}

func TestHotWayAndSlowWayGiveTheSameEvents(t *testing.T) {
	hot := wire.NewHot()
	for _, line := range []string{
		`{"type":"assistant_message","text":"plain"}`,
		`{"type":"assistant_message","text":"a\n\"\\\u00e4\ud83d\ude42"}`,
		` { "type" : "AgentTextDelta" , "delta" : "half \ud83d" } `,
		`{"type":"assistant_thinking","text":"\ude42 half"}`,
		`{"type":"AgentThinkingDelta","delta":""}`,
		chunkAt("2026-01-01T00:00:00.000009Z", "9", `"delta":"a\ud83d","kind":"text"`),
		chunkAt("2026-01-01T00:00:00.010000Z", "10", `"delta":"","kind":"text"`),
		chunkAt("2026-01-01T00:00:01.1Z", "11", `"delta":"x","kind":"text"`),
		chunkAt("2026-01-01T00:00:01.2Z", "12", `"kind":"thinking","delta":"y"`),
		chunkAt("2026-01-01T00:00:01.3Z", "13", `"delta":"z","kind":"text"`),
		`{"type":"AssistantChunkEvent","delta":"x","sequence":14,"timestamp":"2026","kind":"text"}`,
		`{"type":"AssistantChunkEvent","delta":"y","sequence":15,"timestamp":"2027","kind":"text"}`,
		`{"type":"AssistantChunkEvent","timestamp":1,"sequence":-3,"delta":"x","timestamp":"2","kind":"text"}`,
		`{"type":"AssistantChunkEvent","timestamp":2,"sequence":-3,"delta":"x","timestamp":"2","kind":"text"}`,
		`{"type":"AssistantChunk","delta":"hm","kind":"thinking"}`,
	} {
		e := hot([]byte(line))
		require.NotNil(t, e, line)
		requireCold(t, line, e)
	}
}

func TestUnusualLinesAreLeftToTheSlowWay(t *testing.T) {
	hot := wire.NewHot()
	require.NotNil(t, hot([]byte(chunkAt("2026-01-01T00:00:00.000009Z", "9", `"delta":"a","kind":"text"`))))
	for _, line := range []string{
		`{"text":"the type is not first","type":"assistant_message"}`,
		`{"type":"assistant_message","text":"a row","sequence":1}`,
		`{"type":"assistant_message","text":null}`,
		`{"type":"assistant_message","text":5}`,
		`{"type":"assistant_message","text":"no end"`,
		`{"type":"assistant_message"}`,
		`{"type":"AssistantChunkEvent","delta":"x","kind":"toolCallArgs"}`,
		`{"type":"AssistantChunkEvent","delta":"x","more":1}`,
		`{"type":"AssistantChunkEvent","delta":{}}`,
		`{"type":"AssistantChunkEvent","kind":"text"}`,
		chunkAt("2026-01-01T00:00:00.000009Z", "09", `"delta":"a number that is none","kind":"text"`),
		chunkAt("2026-01-01T00:00:00.000009Z", "", `"delta":"no number","kind":"text"`),
		chunkAt("2026-01-01T00:00:00.000009Z", "9", `"delta":"another kind","kind":"toolCallArgs"`),
		`{"type":"agent_done"}`, `x`, ``,
	} {
		require.Nil(t, hot([]byte(line)), line)
	}
}

func TestLinesThatRepeatButForTheText(t *testing.T) {
	require.Equal(t, []string{
		`{"type":"text_delta","text":"a"}`, `{"type":"text_delta","text":"b"}`,
		`{"type":"thinking_delta","thinking":"c"}`, `{"type":"thinking_delta","thinking":"d"}`, `{"type":"text_delta","text":"e"}`,
	}, decoded(t,
		`{"type":"assistant_message","text":"a"}`, `{"type":"assistant_message","text":"b"}`,
		`{"type":"assistant_thinking","text":"c"}`, `{"type":"assistant_thinking","text":"d"}`, `{"type":"AgentTextDelta","delta":"e"}`))
}

func TestEveryWayToNameAClass(t *testing.T) {
	for _, line := range []string{
		`{"type":"AgentToolCallPending","id":"c","name":"skill"}`, `{"event":"AgentToolCallPending","id":"c","name":"skill"}`,
		`{"runtimeType":"AgentToolCallPending","id":"c","name":"skill"}`, `{"runtime_type":"AgentToolCallPending","id":"c","name":"skill"}`,
		`{"type":"agentToolCallPending","id":"c","name":"skill"}`, `{"type":"agent_tool_call_pending","id":"c","name":"skill"}`,
		`{"name":"skill","id":"c","type":"tool_call_pending"}`,
	} {
		require.Equal(t, []string{`{"type":"tool_pending","toolCallId":"c","toolName":"skill","title":"Use the skill","kind":"read"}`}, decoded(t, line))
	}
}

// Names are in snake_case or in camelCase, and in no other.
func TestMembersInAnotherCaseAreUnknownOnes(t *testing.T) {
	for range 20 { // whatever order a map has
		require.Equal(t, decoded(t, `{"type":"AgentToolResult","toolCallId":"c","success":false}`),
			decoded(t, `{"type":"AgentToolResult","toolCallId":"c","ToolCallId":"d","success":false,"Success":true,"SUCCESS":true}`))
		require.Equal(t, decoded(t, `{"type":"AgentTextDelta","delta":"a"}`), decoded(t, `{"Type":"AgentDone","type":"AgentTextDelta","delta":"a","Delta":"b","x":1}`))
	}
}

func TestSecretsAndBlobsGoNoFurther(t *testing.T) {
	all := strings.Join(decoded(t,
		`{"type":"AgentToolCall","call":{"id":"c","name":"bash","arguments":{},"thoughtSignature":"SECRET"}}`,
		`{"type":"UserMessageEvent","turnId":"t","sequence":1,"text":"x","attachments":[{"bytes":"SECRET"}]}`,
		`{"type":"ErrorEvent","turnId":"t","sequence":2,"message":"m","recoverable":true,"stackTrace":"SECRET"}`,
	), "\n")
	require.NotContains(t, all, "SECRET")
}

// chunks streams pieces and then repeats what the whole message is said to be.
func chunks(whole string, pieces ...string) []string {
	var out []string
	for _, p := range pieces {
		out = append(out, `{"type":"AssistantChunkEvent","delta":"`+p+`","kind":"text"}`)
	}
	return append(out, `{"type":"AssistantMessageEvent","text":"`+whole+`"}`)
}

func texts(events []string) string {
	var b strings.Builder
	for _, e := range events {
		if after, ok := strings.CutPrefix(e, `{"type":"text_delta","text":"`); ok {
			b.WriteString(strings.TrimSuffix(after, `"}`))
		}
	}
	return b.String()
}

func TestAWholeMessageIsShownOnce(t *testing.T) {
	long := strings.Repeat("a long story ", 10_000)
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"that was streamed":              {chunks("ab", "a", "b"), "ab"},
		"that was not":                   {chunks("ab"), "ab"},
		"whose end was not":              {chunks("a b c", "a ", "b"), "a b c"},
		"that differs in the space":      {chunks("ab\\n", "ab"), "ab"},
		"that is the last of several":    {chunks("cd", "ab", "cd"), "abcd"},
		"that is another one":            {chunks("cd", "ab"), "abcd"},
		"that is written with escapes":   {chunks(`\u00e4b`, "ä", "b"), "äb"},
		"in whose middle a piece breaks": {chunks(`\ud83d\ude42!`, `\ud83d`, `\ude42!`), `\ud83d\ude42!`},
		"that is longer than is kept":    {chunks(long, long[:70_000], long[70_000:]), long},
	} {
		require.Equal(t, c.want, texts(decoded(t, c.lines...)), name)
	}
	require.Equal(t, "abab", texts(decoded(t, append(chunks("ab", "ab"), chunks("ab", "ab")...)...)), "the next may be the same")
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for i := range 2000 {
		_, err := decode(t, d,
			fmt.Sprintf(`{"type":"tool_call","id":"c%d","name":"bash"}`, i),
			fmt.Sprintf(`{"type":"subagent_spawned","subagent_id":"s%d"}`, i),
			fmt.Sprintf(`{"type":"PermissionRequestedEvent","requestId":"p%d"}`, i),
			`{"type":"AssistantChunkEvent","delta":"`+strings.Repeat("x", 1000)+`","kind":"text"}`)
		require.NoError(t, err)
	}
	calls, others, text := wire.Kept(d)
	require.LessOrEqual(t, calls, 256)
	require.LessOrEqual(t, others, 512)
	require.LessOrEqual(t, text, 64<<10)
}

func TestSubagentsOfSubagentsGoOnlySoDeep(t *testing.T) {
	line := `{"type":"AssistantChunkEvent","delta":"deep","kind":"text"}`
	for range 3000 {
		line = `{"type":"SubagentEventForwardedEvent","childId":"a","inner":` + line + `}`
	}
	events := decoded(t, line)
	require.Less(t, len(events), 20)
	require.Contains(t, events[len(events)-1], `"telemetry"`)
}

func TestTheSubagentOfASubagentHasACallOfItsOwn(t *testing.T) {
	inner := func(child, event string) string {
		return `{"type":"SubagentEventForwardedEvent","childId":"` + child + `","inner":` + event + `}`
	}
	require.Equal(t, []string{
		`{"type":"subagent_start","id":"a","name":"Sub-agent","task":"one"}`,
		`{"type":"subagent_start","id":"a/b","name":"Sub-agent","task":"two","parentToolCallId":"a"}`,
		`{"type":"tool_output","toolCallId":"a/b","text":"found"}`,
		`{"type":"tool_pending","toolCallId":"a/b/c","toolName":"bash","parentToolCallId":"a/b","title":"Run","kind":"execute"}`,
		`{"type":"subagent_end","id":"a/b","ok":true}`,
		`{"type":"subagent_end","id":"a","ok":true,"result":"done"}`,
	}, decoded(t,
		`{"type":"SubagentSpawnedEvent","childId":"a","task":"one"}`,
		inner("a", `{"type":"SubagentSpawnedEvent","childId":"b","task":"two"}`),
		inner("a", inner("b", `{"type":"AssistantChunkEvent","delta":"found","kind":"text"}`)),
		inner("a", inner("b", `{"type":"AgentToolCallPending","id":"c","name":"bash"}`)),
		inner("a", `{"type":"SubagentCompletedEvent","childId":"b","finalMessage":"found"}`),
		`{"type":"SubagentCompletedEvent","childId":"a","finalMessage":"done"}`))
}

func TestTheLimitOfRoundsIsThatOfOneTurn(t *testing.T) {
	limit := `{"type":"agent_notice","kind":"warning","message":"Reached the maximum of 3 agent iterations"}`
	events := decoded(t, limit, `{"type":"agent_done"}`, `{"type":"agent_done"}`)
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"max_turn_requests"}`, `{"type":"done","text":""}`}, events[1:])
}

func TestAMalformedEndDoesNotEndATurn(t *testing.T) {
	events, err := decode(t, wire.Dialect.NewDecoder(),
		`{"type":"TurnStartedEvent","turnId":"t","sequence":1}`,
		`{"type":"ErrorEvent","message":"m","category":7}`,
		`{"type":"TurnCompletedEvent","turnId":"t","sequence":3,"outcome":"completed"}`)
	require.NoError(t, err)
	require.Equal(t, `{"type":"done","text":""}`, events[len(events)-1])
}

func TestTheReaderMayStopWithinALine(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	n := 0
	require.NoError(t, d.Decode([]byte(`{"type":"user_message","timestamp":"x","text":"hi"}`), func(agent.Event) bool {
		n++
		return false
	}))
	require.Equal(t, 1, n)
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]float64{
		"0:00:01.500000": 1500, "26:03:04.000001": 93784000.001, "PT1.5S": 1500, "PT2M": 120000, "P1DT1H": 90000000, "12": 12, "1.5": 1.5,
		"": 0, "-0:00:01.000000": 0, "-3": 0, "soon": 0, "NaN": 0, "Inf": 0, "1e999": 0, "P": 0, "0:00": 0,
		strings.Repeat("9", 400) + ":00:00": 0,
	} {
		require.InDelta(t, want, wire.ParseDuration(text), 1e-6, text)
	}
}

func TestTheTableKnowsEachToolOnceAndFully(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range wire.Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}
