package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/glue/wire"
)

func TestLinesThatDifferOnlyInTheirTextAreDecoded(t *testing.T) {
	require.Equal(t, []string{
		`{"type":"text_delta","text":"a"}`, `{"type":"text_delta","text":"b"}`,
		`{"type":"thinking_delta","thinking":"c"}`, `{"type":"thinking_delta","thinking":"d"}`, `{"type":"text_delta","text":"e"}`,
	}, decoded(t,
		`{"type":"assistant_message","text":"a"}`, `{"type":"assistant_message","text":"b"}`,
		`{"type":"assistant_thinking","text":"c"}`, `{"type":"assistant_thinking","text":"d"}`, `{"type":"AgentTextDelta","delta":"e"}`))
}

func TestEverySpellingOfAClassNameIsRead(t *testing.T) {
	for _, line := range []string{
		`{"type":"AgentToolCallPending","id":"c","name":"skill"}`, `{"event":"AgentToolCallPending","id":"c","name":"skill"}`,
		`{"runtimeType":"AgentToolCallPending","id":"c","name":"skill"}`, `{"runtime_type":"AgentToolCallPending","id":"c","name":"skill"}`,
		`{"type":"agentToolCallPending","id":"c","name":"skill"}`, `{"type":"agent_tool_call_pending","id":"c","name":"skill"}`,
		`{"name":"skill","id":"c","type":"tool_call_pending"}`,
	} {
		require.Equal(t, []string{`{"type":"tool_pending","toolCallId":"c","toolName":"skill","title":"Use the skill","kind":"read"}`}, decoded(t, line))
	}
}

// Names must be in snake_case or camelCase.
func TestMembersInAnotherCaseAreUnknown(t *testing.T) {
	for range 20 { // in any order of a map
		require.Equal(t, decoded(t, `{"type":"AgentToolResult","toolCallId":"c","success":false}`),
			decoded(t, `{"type":"AgentToolResult","toolCallId":"c","ToolCallId":"d","success":false,"Success":true,"SUCCESS":true}`))
		require.Equal(t, decoded(t, `{"type":"AgentTextDelta","delta":"a"}`), decoded(t, `{"Type":"AgentDone","type":"AgentTextDelta","delta":"a","Delta":"b","x":1}`))
	}
}

func TestSecretsAndBlobsAreDropped(t *testing.T) {
	all := strings.Join(decoded(t,
		`{"type":"AgentToolCall","call":{"id":"c","name":"bash","arguments":{},"thoughtSignature":"SECRET"}}`,
		`{"type":"UserMessageEvent","turnId":"t","sequence":1,"text":"x","attachments":[{"bytes":"SECRET"}]}`,
		`{"type":"ErrorEvent","turnId":"t","sequence":2,"message":"m","recoverable":true,"stackTrace":"SECRET"}`,
	), "\n")
	require.NotContains(t, all, "SECRET")
}

// chunks returns streamed pieces, followed by the whole message.
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
		"that is longer than remembered": {chunks(long, long[:70_000], long[70_000:]), long},
	} {
		require.Equal(t, c.want, texts(decoded(t, c.lines...)), name)
	}
	require.Equal(t, "abab", texts(decoded(t, append(chunks("ab", "ab"), chunks("ab", "ab")...)...)), "the next may be the same")
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for i := range 2000 {
		_, err := decode(t, d,
			fmt.Sprintf(`{"type":"tool_call","id":"c%d","name":"bash"}`, i),
			fmt.Sprintf(`{"type":"subagent_spawned","subagent_id":"s%d"}`, i),
			fmt.Sprintf(`{"type":"PermissionRequestedEvent","requestId":"p%d"}`, i))
		require.NoError(t, err)
	}
	for line, remembered := range map[string]string{
		`{"type":"tool_result","call_id":"c%d","content":"x"}`:                                        `"toolName":"bash"`,
		`{"type":"subagent_event","subagent_id":"s%d","inner":{"type":"tool_call_pending","id":"a"}}`: `{"type":"tool_pending"`,
		`{"type":"PermissionResolvedEvent","requestId":"p%d"}`:                                        `{"type":"tool_confirmation_resolved"`,
	} {
		last, err := decode(t, d, fmt.Sprintf(line, 1999))
		require.NoError(t, err)
		require.Contains(t, last[0], remembered)
		first, err := decode(t, d, fmt.Sprintf(line, 0))
		require.NoError(t, err)
		require.NotContains(t, first[0], remembered)
	}
}

func TestSubagentNestingIsLimited(t *testing.T) {
	line := `{"type":"AssistantChunkEvent","delta":"deep","kind":"text"}`
	for range 3000 {
		line = `{"type":"SubagentEventForwardedEvent","childId":"a","inner":` + line + `}`
	}
	events := decoded(t, line)
	require.Less(t, len(events), 20)
	require.Contains(t, events[len(events)-1], `"telemetry"`)
}

func TestNestedSubagentsHaveTheirOwnCalls(t *testing.T) {
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

func TestTheRoundLimitAppliesToOneTurn(t *testing.T) {
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
	for text, want := range map[string]string{
		`"0:00:01.500000"`: "1500", `"26:03:04.000001"`: "93784000.001", `"PT1.5S"`: "1500", `"PT2M"`: "120000", `"P1DT1H"`: "90000000",
		`"12"`: "12", `"1.5"`: "1.5", `12`: "12", `1.5e1`: "15",
		`""`: "", `"-0:00:01.000000"`: "", `"-3"`: "", `-3`: "", `"soon"`: "", `"NaN"`: "", `"Inf"`: "", `"1e999"`: "", `1e999`: "", `"P"`: "",
		`"0:00"`: "", `{}`: "", `true`: "", `null`: "",
		`"` + strings.Repeat("9", 400) + `:00:00"`: "",
	} {
		if want != "" {
			want = `,"durationMs":` + want
		}
		for _, member := range []string{"duration_ms", "durationMs"} {
			require.Equal(t, []string{`{"type":"tool_end","toolCallId":"c","ok":true` + want + `}`},
				decoded(t, `{"type":"tool_result","call_id":"c","`+member+`":`+text+`}`), text)
		}
	}
}

func TestInvalidResultPartsLeaveTheContent(t *testing.T) {
	require.Equal(t, []string{`{"type":"tool_end","toolCallId":"c","ok":true,"result":"all","structured":{"exit_code":"none"}}`},
		decoded(t, `{"type":"tool_result","call_id":"c","content":"all","content_parts":["x",7],"metadata":{"exit_code":"none","diff":7}}`))
}

func TestAnUnknownEventOfASubagentIsTelemetry(t *testing.T) {
	for _, inner := range []string{`{"type":"Mood"}`, `{"type":7}`, `{}`} {
		events := decoded(t, `{"type":"SubagentEventForwardedEvent","childId":"a","inner":`+inner+`}`)
		require.Len(t, events, 1)
		require.Contains(t, events[0], `{"type":"telemetry","name":"SubagentEventForwardedEvent"`)
	}
}
