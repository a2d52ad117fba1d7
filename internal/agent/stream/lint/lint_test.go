package lint_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

func linter(tell func(lint.Finding)) *lint.Linter {
	return lint.NewLinter(native.Dialect.NewDecoder(), func() bool { return true }, lint.Names, tell)
}

// found returns a stream's findings, each as "line:column rule path".
func found(t *testing.T, in string) (all []lint.Finding, short []string) {
	t.Helper()
	l := linter(func(f lint.Finding) {
		all = append(all, f)
		short = append(short, strings.TrimSpace(fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Rule, f.Path)))
	})
	for line := range strings.SplitSeq(strings.TrimSuffix(in, "\n"), "\n") {
		l.Line([]byte(line))
	}
	l.End()
	return all, short
}

const done = "\n" + `{"type":"done","text":""}`

func TestMistakesInEventsAreFound(t *testing.T) {
	for in, want := range map[string][]string{
		`{"type":"text_delta","text":"x","messageid":"m"}` + done: {`1:33 misspelt-member $.messageid`},
		`{"type":"text_delta","txt":"x"}` + done:                  {`1:22 wrong-member $.txt`},
		`{"type":"text_delta"}` + done:                            {`1:21 missing-member $`},
		`{"type":"text_delta","text":"x","seq":7}` + done:         nil,
		`{"type":"text_delta","text":{"a":1}}` + done:             {`1:29 malformed-event $.text`},
		`{"type":"tool_start","toolCallId":"c","toolName":"n","kind":"raed"}` + "\n" + `{"type":"tool_end","toolCallId":"c","ok":true}` + done:                           {`1:61 unknown-value $.kind`},
		`{"type":"tool_start","toolCallId":"c","toolName":"n","locations":[{"path":"a"},{"file":"b"}]}` + "\n" + `{"type":"tool_end","toolCallId":"c","ok":true}` + done: {`1:81 wrong-member $.locations[1].file`},
		`{"type":"tool_start","toolCallId":"c","toolName":"n","diffs":[{"path":"a","newtext":"b"}]}` + "\n" + `{"type":"tool_end","toolCallId":"c","ok":true}` + done:    {`1:75 wrong-member $.diffs[0].newtext`},
		`{"type":"tool_start","tool_call_id":"c"}` + done:                                 {`1:22 wrong-member $.tool_call_id`, `1:40 missing-member $`},
		`{"type":"prompt","text":"x"}` + "\n" + `{"type":"text_delta","text":"x"}` + done: {`1:0 echo`},
		`{"type":7}` + done:                                           {`1:9 no-type $.type`},
		`{"text":"x"}` + done:                                         {`1:0 no-type`},
		`"text"` + done:                                               {`1:1 not-an-object`},
		`{"type":"text_delta","text":"x",}` + done:                    {`1:33 bad-json`},
		"{\"type\":\"text_delta\",\"text\":\"a\tb\"}" + done:          {`1:31 bad-json`},
		"{\"type\":\"text_delta\",\"text\":\"a\xffb\"}" + done:        {`1:31 not-utf8`},
		`{"type":"text_delta","text":"Grüße","messageid":"m"}` + done: {`1:37 misspelt-member $.messageid`},
	} {
		_, got := found(t, in)
		require.Equal(t, want, got, in)
	}
}

func TestTurnRulesAreChecked(t *testing.T) {
	text := `{"type":"text_delta","text":"x"}` + "\n"
	start := `{"type":"tool_start","toolCallId":"c","toolName":"n"}` + "\n"
	end := `{"type":"tool_end","toolCallId":"c","ok":true}` + "\n"
	for in, want := range map[string][]string{
		text + start + end + done[1:]: nil,
		text + end + done[1:]:         {`2:33 end-without-start $.toolCallId`},
		text + start + done[1:]:       {`3:9 call-not-ended`},
		text + done[1:] + done:        {`3:9 event-after-done`},
		text + start + `{"type":"done","text":"","stopReason":"cancelled"}`: nil,
		text + start + end + end + done[1:]:                                 {`4:33 ended-twice $.toolCallId`},
		text + start + start + end + done[1:]:                               {`3:35 started-twice $.toolCallId`},
		text + start + end + start + end + done[1:]:                         nil,
		text:                                     {`0:0 no-done`},
		text + done[1:] + "\n" + text + done[1:]: {`3:9 event-after-done`},
		text + done[1:] + "\n" + `{"type":"run_start"}` + "\n" + text + done[1:]:                                                                                   nil,
		text + `{"type":"error","error":"x","fatal":false}` + done:                                                                                                 nil,
		`{"type":"text_delta","text":"x","turnId":"a"}` + "\n" + `{"type":"text_delta","text":"x","turnId":"b"}` + done:                                            {`2:42 wrong-turn $.turnId`},
		`{"type":"tool_args_delta","toolCallId":"c","delta":"{\"a\":"}` + "\n" + start + end + done[1:]:                                                            {`2:35 bad-arguments $.toolCallId`},
		`{"type":"tool_confirmation_request","toolCallId":"c","options":[{"id":"a","kind":"allow_once"},{"id":"a","kind":"reject_once"}]}` + "\n" + end + done[1:]: {`1:64 bad-options $.options[1]`},
		`{"type":"agent_info","name":"x"}` + "\n" + text + done[1:]:                                                                                                nil,
	} {
		_, got := found(t, in)
		require.Equal(t, want, got, in)
	}
}

func TestAMultilineObjectIsOneFindingAndIsCheckedWhole(t *testing.T) {
	_, got := found(t, "{\n  \"type\": \"text_dleta\",\n  \"text\": \"{\"\n}\n{\n\"type\": \"done\",\n\"text\": \"x\"\n}\n")
	require.Equal(t, []string{"1:2 pretty-json", "4:13 unknown-event $.type", "5:2 pretty-json"}, got)
}

func TestOurOwnEventsHaveNoMistakes(t *testing.T) {
	text, err := os.ReadFile("../../../../test/conformance/every-event.jsonl")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		for _, f := range lint.Members([]byte(strings.TrimSpace(line))) {
			require.Fail(t, f.String(), line)
		}
	}
}

func TestLongLinesAreCutInFindings(t *testing.T) {
	all, _ := found(t, `{"type":"text_delta","text":"`+strings.Repeat("ä", 1<<20)+`","kind":"`+"\n")
	for _, f := range all {
		require.Less(t, len(f.Text), 1000, f.Rule)
	}
}

func TestEveryRuleSaysWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range lint.Rules() {
		require.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		require.NotEmpty(t, r.Means, r.ID)
		require.NotEmpty(t, r.Cure, r.ID)
		require.NotEmpty(t, r.See, r.ID)
	}
}

func FuzzLinter(f *testing.F) {
	for _, seed := range []string{
		`{"type":"text_dleta"}`, "{\n\"a\":[1\n]}", "\ufeff{}", "data: {\"type\":\"done\"}", "\xff\xfe{\x00\"\x00", `[{"type":"x"}]`, `{"type":"done"}}`,
		`{"type":"tool_start","locations":[{"pth":1}],"diffs":{}}`, "{'a':1}", "event: x", `{"type":"thinking_delta","text":"\ud83d"}`, "}", "]", "\x00\x00\x00",
		`{"type":"tool_start","toolCallId":"c","toolName":"n","locations":[[[{"path":null}]]]}`, `{"type":"done","content":{"resource":{"uri":5}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		lines := 0
		l := linter(func(f lint.Finding) {
			require.NotEmpty(t, f.Message)
			require.LessOrEqual(t, f.From, f.To)
			require.LessOrEqual(t, f.To, len(f.Text))
			require.Less(t, len(f.Text), 1000)
			require.LessOrEqual(t, f.Line, lines)
		})
		var framing lint.Framing
		for line := range strings.SplitSeq(string(in), "\n") {
			lines++
			before := line
			l.Line([]byte(line))
			require.Equal(t, before, line)
			framing.Check([]byte(line))
			lint.Members([]byte(line))
		}
		l.End()
		var laws lint.Laws
		laws.Add(&agent.ToolEnd{}, func(lint.Finding) {})
	})
}
