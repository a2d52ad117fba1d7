package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentb/wire"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

func TestOnlyAgentBLinesAreRecognised(t *testing.T) {
	for _, kind := range wire.Dialect.Types() {
		require.True(t, wire.Dialect.Recognise([]byte(line(kind, `{}`))), kind)
		require.False(t, native.Dialect.Recognise([]byte(line(kind, `{}`))), kind)
	}
	for _, l := range []string{
		``, `[]`, `{}`, `{"type":5}`, `{"type":"text_delta","text":"a"}`, `{"type":"thread.run.queued"}`,
		`{"event":"thread.run.completed"}`, `{"type":"done","data":{"type":"thread.run.completed"}}`, `{"data":`,
	} {
		require.False(t, wire.Dialect.Recognise([]byte(l)), l)
	}
}

func TestPiecesDecodeTheSameAfterAnyLine(t *testing.T) {
	odd := func(s string) string { return strings.Replace(s, `"runId"`, `"seq":1,"runId"`, 1) }
	for name, lines := range map[string][]string{
		"alike":                   {delta(1, "a"), delta(2, `\n\"b\" \u00e4`), delta(999, "")},
		"with halves":             {delta(1, "a"), delta(2, `\ud83d`), delta(3, `\ude42`)},
		"another member":          {delta(1, "a"), odd(delta(2, "b")), odd(delta(3, "c")), delta(4, "d")},
		"another message":         {delta(1, "a"), strings.Replace(delta(2, "b"), "m-1", "m-2", 1), delta(3, "c")},
		"a timestamp of another":  {delta(1, "a"), strings.Replace(delta(2, "b"), "2026", "+12026", 1), strings.Replace(delta(3, "c"), "2026-03-02T09:15:00.003Z", "", 1)},
		"an odd timestamp":        {delta(1, "a"), strings.Replace(delta(2, "b"), "2026", `\u0032`, 1), strings.Replace(delta(2, "c"), `"2026-03-02T09:15:00.002Z"`, "1772442900", 1)},
		"an escape that ends":     {strings.Replace(delta(1, "a"), "2026-03-02T09:15:00.001Z", `\u12345678`, 1), strings.Replace(delta(2, "b"), "2026-03-02T09:15:00.002Z", `\u12345679`, 1)},
		"a timestamp at the end":  {`{"type":"thread.message.delta","data":{"messageId":"m","delta":{"contentChunk":"a"}},"timestamp":"x"}`, `{"type":"thread.message.delta","data":{"messageId":"m","delta":{"contentChunk":"b"}},"timestamp":"y"}`},
		"said twice":              {`{"type":"thread.message.delta","timestamp":"1","data":{"messageId":"m","delta":{"contentChunk":"a","contentChunk":"b"}}}`, `{"type":"thread.message.delta","timestamp":"2","data":{"messageId":"m","delta":{"contentChunk":"a","contentChunk":"c"}}}`},
		"a name before and after": {delta(1, "a"), strings.Replace(delta(2, "b"), `,"data"`, `,"type":"thread.message.delta","data"`, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			got, errs := decode(t, lines...)
			require.Empty(t, errs)
			var want []string
			for _, l := range lines {
				one, errs := decode(t, l)
				require.Empty(t, errs)
				want = append(want, one...)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestAlmostSimilarLinesAreNotPieces(t *testing.T) {
	for name, l := range map[string]string{
		"cut off":               delta(2, "b")[:150],
		"in the text":           strings.TrimSuffix(delta(2, "b"), `"}}}`),
		"a mark in the text":    delta(2, `b"c`),
		"a mark in the stamp":   strings.Replace(delta(2, "b"), "2026", `"026`, 1),
		"a control character":   delta(2, "b\x01"),
		"a backslash at an end": delta(2, `b\`),
		"more behind it":        delta(2, "b") + "x",
		"half an escape":        strings.Replace(delta(2, "b"), "2026-03-02T09:15:00.002Z", `\uZ9:15:00`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, errs := decode(t, delta(1, "a"), l)
			require.Len(t, got, 1)
			require.Len(t, errs, 1)
			require.ErrorIs(t, errs[0], dialect.ErrNotObject)
		})
	}
}

func TestLinesThatAreNotEventsAreReported(t *testing.T) {
	for _, l := range []string{``, `x`, `[]`, `{}`, `{"type":null}`, `{"type":7}`, `{"type":"thread.run.completed"`, `"thread.run.completed"`} {
		got, errs := decode(t, l)
		require.Empty(t, got, l)
		require.Len(t, errs, 1, l)
		require.ErrorIs(t, errs[0], dialect.ErrNotObject, l)
	}
}

func TestMalformedEventsAreNamed(t *testing.T) {
	for _, l := range []string{
		line("thread.message.delta", `5`),
		line("thread.message.delta", `{"delta":[]}`),
		line("thread.message.delta", `{"delta":{"contentChunk":5}}`),
		line("thread.message.delta", `{"delta":{"toolCallsChunk":{}}}`),
		line("thread.message.created", `{"message":[]}`),
		line("thread.message.created", `{"message":{"role":"assistant","content":{}}}`),
		line("thread.message.completed", `{"message":5}`),
		line("thread.run.step.tool_call.created", `{"toolCall":{}}`),
		line("thread.run.step.tool_call.completed_by_llm", `{"toolCall":{"id":5}}`),
		line("agent.tool.execution.started", `{}`),
		line("agent.tool.execution.completed", `{}`),
		line("agent.tool.execution.completed", `{"toolCallId":"c","result":"r"}`),
		line("agent.sub_agent.invocation.started", `{}`),
		line("agent.sub_agent.invocation.completed", `{}`),
		line("thread.run.requires_action", `{"required_action":5}`),
		line("agent.run.status.changed", `{"currentStatus":5}`),
		line("agent.run.step.created", `[]`),
		line("thread.run.failed", `"x"`),
		line("thread.run.completed", `5`),
	} {
		got, errs := decode(t, l)
		require.Empty(t, got, l)
		require.Len(t, errs, 1, l)
		var malformed *dialect.MalformedError
		require.ErrorAs(t, errs[0], &malformed, l)
		require.Contains(t, l, `"`+malformed.Type+`"`)
		require.Equal(t, l, string(malformed.Raw))
	}
}

func TestEventsWithoutDataDoNothingButEndARun(t *testing.T) {
	for _, data := range []string{`null`, `{}`} {
		for kind, want := range map[string]string{
			"agent.run.created":          `{"type":"run_start","traceId":"run-1"}`,
			"thread.message.delta":       "",
			"thread.run.requires_action": "",
			"thread.run.completed":       `{"type":"done","text":""}`,
			"thread.run.failed":          `{"type":"error","error":"The run failed without a reason.","code":"run_failed"}`,
		} {
			got, errs := decode(t, line(kind, data))
			require.Empty(t, errs)
			require.Equal(t, want, strings.Join(got, "\n"), "%s with %s", kind, data)
		}
	}
}

func TestUnknownEventsAreKeptAsTheyCame(t *testing.T) {
	got, errs := decode(t, ` {"type":"agent.run.paus\u0065d","n":18446744073709551616,"data":{"x":"\ud83d"}} `)
	require.Empty(t, errs)
	require.Equal(t, []string{`{"type":"agent.run.paus\u0065d","n":18446744073709551616,"data":{"x":"\ufffd"}}`}, got)
	var name string
	require.NoError(t, wire.Dialect.NewDecoder().Decode([]byte(`{"type":"agent.run.paus\u0065d"}`), func(e agent.Event) bool {
		name = e.Type()
		return true
	}))
	require.Equal(t, "agent.run.paused", name)
}

func TestARunThatFollowsAnotherEndsToo(t *testing.T) {
	second := func(s string) string { return strings.ReplaceAll(s, "run-1", "run-2") }
	failed := line("thread.run.failed", `{"error":{"message":"away"}}`)
	got, errs := decode(t, completed("a"), completed("a"), failed, second(completed("b")), second(failed), failed)
	require.Empty(t, errs)
	require.Equal(t, []string{
		`{"type":"done","text":"a"}`, `{"type":"done","text":"b"}`,
		`{"type":"error","error":"away","code":"run_failed"}`,
	}, got)
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	s := wire.NewState(false, nil)
	d := wire.NewDecoder(s)
	for i := range 5000 {
		for _, l := range []string{
			line("thread.run.step.tool_call.created", `{"toolCall":`+call(fmt.Sprint("c", i))+`}`),
			line("thread.message.completed", fmt.Sprintf(`{"message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"http://x/"}}]}}`, i)),
		} {
			require.NoError(t, d.Decode([]byte(l), func(agent.Event) bool { return true }))
		}
	}
	require.Less(t, wire.Remembered(s), 2000)
}

func TestADecoderStopsAtARefusedEvent(t *testing.T) {
	d := wire.Dialect.NewDecoder()
	for _, l := range append(required(call("c1"), call("c2")), completed("text")) {
		taken := 0
		require.NoError(t, d.Decode([]byte(l), func(agent.Event) bool {
			taken++
			return false
		}))
		require.LessOrEqual(t, taken, 1, l)
	}
}

func TestSecretsInDebugDataDoNotLeaveTheDecoder(t *testing.T) {
	secret := `"url":"http://shop.example/?key=s3cret","headers":{"authorization":"Bearer s3cret"}`
	got, errs := decode(t,
		line("agent.tool.execution.completed", `{"toolCallId":"c1","toolName":"t","result":{"success":false,"error":"no","metadata":{`+secret+`}}}`),
		line("agent.tool.execution.completed", `{"toolCallId":"c2","toolName":"delegateToSpecialistAgent","result":{"success":true,"data":"x","metadata":{`+secret+`,
			"_rawSubAgentEventsForDebugging":[5,{"type":"agent.run.created","data":{`+secret+`}},`+line("agent.tool.execution.completed", `{"toolCallId":"c","result":{"metadata":{`+secret+`}}}`)+`]}}}`),
		line("thread.run.failed", `{"error":{"message":"refused","details":{`+secret+`}}}`),
	)
	require.Empty(t, errs)
	require.Len(t, got, 4)
	require.NotContains(t, strings.Join(got, "\n"), "s3cret")
}

func FuzzDecode(f *testing.F) {
	for _, kind := range wire.Dialect.Types() {
		f.Add(line(kind, `{}`) + "\n" + line(kind, `null`))
	}
	f.Add(delta(1, "a") + "\n" + delta(2, `\ud83d`) + "\n" + delta(3, "b"))
	f.Add(strings.Join(append(required(call("c1")), completed("x")), "\n"))
	f.Add(line("thread.run.step.tool_call.created", `{"toolCall":`+call("c\\ud83d")+`}`) + "\n" +
		line("agent.tool.execution.completed", `{"toolCallId":"c\ud83d","result":{"data":"\ud83d","error":{"a":"\ud83d"}}}`))
	f.Add(line("thread.message.completed", `{"message":{"id":"m","role":"assistant","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]}}`))
	f.Fuzz(func(t *testing.T, in string) {
		lines := strings.Split(strings.ToValidUTF8(in, "\ufffd"), "\n")
		events, errs := decode(t, lines...)
		again, errsAgain := decode(t, lines...)
		require.Equal(t, events, again)
		require.Equal(t, errs, errsAgain)
	})
}

func TestEachToolIsInTheTableOnceAndCompletely(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range wire.Tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}
