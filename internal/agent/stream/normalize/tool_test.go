package normalize_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

// start, end and output return native lines about a call.
func start(id, name, more string) string {
	return `{"type":"tool_start","toolCallId":"` + id + `","toolName":"` + name + `"` + more + `}`
}

func end(id, more string) string {
	return `{"type":"tool_end","toolCallId":"` + id + `"` + more + `}`
}

func output(id, text string) string {
	return `{"type":"tool_output","toolCallId":"` + id + `","text":"` + text + `"}`
}

// lawful are streams about tool calls, with the resulting steps.
var lawful = map[string]struct{ in, want []string }{
	"a call from its first sign to its end": {
		[]string{
			`{"type":"tool_pending","toolCallId":"a","toolName":"read_file"}`,
			`{"type":"tool_args_delta","toolCallId":"a","delta":"{\"path\":"}`,
			`{"type":"tool_args_delta","toolCallId":"a","delta":"\"x\"}"}`,
			`{"type":"tool_ready","toolCallId":"a","toolName":"read_file"}`,
			start("a", "read_file", ""), end("a", `,"ok":true,"result":"r"`),
		},
		[]string{
			"tool_pending [a read_file pending] first", "tool_args_delta [a read_file pending]",
			"tool_args_delta [a read_file pending]", `tool_ready [a read_file pending {"path":"x"}]`,
			`tool_start [a read_file running {"path":"x"}]`, `tool_end r [a read_file completed {"path":"x"}]`,
		},
	},
	"arguments that are null change nothing": {
		[]string{
			`{"type":"tool_ready","toolCallId":"a","toolName":"x","args":{"n":1}}`, start("a", "x", `,"args":null`),
		},
		[]string{`tool_ready [a x pending {"n":1}] first`, `tool_start [a x running {"n":1}]`},
	},
	"streamed arguments with white space and halves of characters": {
		[]string{`{"type":"tool_args_delta","toolCallId":"a","delta":"{\n \"x\" :\t\"\\ud83d\"\r\n}"}`, start("a", "x", "")},
		[]string{"tool_ready [a pending] first", "tool_args_delta [a pending]", `tool_start [a x running {"x":"\ufffd"}]`},
	},
	"streamed arguments that were cut within a character": {
		[]string{
			`{"type":"tool_args_delta","toolCallId":"a","delta":"{\"x\":\"\ud83d"}`,
			`{"type":"tool_args_delta","toolCallId":"a","delta":"\ude42\"}"}`, start("a", "x", ""),
		},
		[]string{
			"tool_ready [a pending] first", "tool_args_delta [a pending]", "tool_args_delta [a pending]",
			`tool_start [a x running {"x":"🙂"}]`,
		},
	},
	"an end without a start": {
		[]string{end("a", `,"toolName":"x","ok":false,"error":"refused"`)},
		[]string{"tool_start [a x running] first", "tool_end refused [a x failed]"},
	},
	"output without a start": {
		[]string{output("a", "hi")},
		[]string{"tool_start [a running] first", `tool_output hi [a running] output "hi"`},
	},
	"a second end is ignored": {
		[]string{start("a", "x", ""), end("a", `,"ok":true,"result":"r"`), end("a", `,"ok":false,"error":"no"`), end("a", `,"ok":true`)},
		[]string{"tool_start [a x running] first", "tool_end r [a x completed]"},
	},
	"a second end that brings the result": {
		[]string{start("a", "x", ""), end("a", `,"ok":true,"structured":null`), end("a", `,"ok":false,"result":"late"`), end("a", `,"ok":true,"result":"later"`)},
		[]string{"tool_start [a x running] first", "tool_end [a x completed]", "tool_end late [a x completed]"},
	},
	"an id used twice in one batch": {
		[]string{start("a", "x", ""), start("a", "y", ""), end("a", `,"ok":true`), end("a", `,"ok":false`)},
		[]string{"tool_start [a x running] first", "tool_start [a#2 y running] first", "tool_end [a x completed]", "tool_end [a#2 y failed]"},
	},
	"an id used again when its call has ended": {
		[]string{start("a", "x", ""), end("a", `,"ok":true`), `{"type":"tool_pending","toolCallId":"a","toolName":"x"}`, start("a", "x", "")},
		[]string{"tool_start [a x running] first", "tool_end [a x completed]", "tool_pending [a#2 x pending] first", "tool_start [a#2 x running]"},
	},
	"calls without an id": {
		[]string{start("", "x", ""), start("", "y", ""), end("", `,"toolName":"x","ok":true`), end("", `,"toolName":"y","ok":false`)},
		[]string{"tool_start [call x running] first", "tool_start [call#2 y running] first", "tool_end [call x completed]", "tool_end [call#2 y failed]"},
	},
	"an event after the end of its call": {
		[]string{start("a", "x", ""), end("a", `,"ok":true`), output("a", "late"), `{"type":"tool_args_delta","toolCallId":"a","delta":"{"}`},
		[]string{"tool_start [a x running] first", "tool_end [a x completed]"},
	},
	"calls are closed when the turn ends": {
		[]string{start("a", "x", ""), `{"type":"tool_pending","toolCallId":"b","toolName":"y"}`, done("")},
		[]string{
			"tool_start [a x running] first", "tool_pending [b y pending] first",
			"tool_end the turn ended without a result [a x failed]", "tool_end the turn ended without a result [b y failed]", "done end",
		},
	},
	"calls are cancelled when the agent says so": {
		[]string{start("a", "x", ""), `{"type":"done","stopReason":"cancelled"}`},
		[]string{"tool_start [a x running] first", "tool_end the turn was cancelled while this ran; it may still be running [a x failed cancelled]", "done cancelled end"},
	},
	"calls fail with the turn": {
		[]string{start("a", "x", ""), `{"type":"error","error":"boom"}`},
		[]string{"tool_start [a x running] first", "tool_end the turn failed before the tool ended [a x failed]", "error boom end"},
	},
	"an error that is not fatal": {
		[]string{start("a", "x", ""), `{"type":"error","error":"boom","fatal":false}`, end("a", `,"ok":true`)},
		[]string{"tool_start [a x running] first", "error boom", "tool_end [a x completed]"},
	},
	"a cancelled call": {
		[]string{start("a", "x", ""), end("a", `,"ok":false,"cancelled":true`)},
		[]string{"tool_start [a x running] first", "tool_end [a x failed cancelled]"},
	},
	"a call of a sub-agent": {
		[]string{
			`{"type":"subagent_start","id":"s","name":"helper","task":"look"}`, start("a", "x", `,"parentToolCallId":"s"`),
			end("a", `,"ok":true`), `{"type":"subagent_end","id":"s","ok":true,"result":"r"}`, `{"type":"subagent_end","id":"s","ok":false}`,
		},
		[]string{
			"subagent_start [s helper running] first", "tool_start [a x running of s] first", "tool_end [a x completed of s]",
			"subagent_end r [s helper completed]",
		},
	},
	"a call that says it is its own part": {
		[]string{start("a", "x", `,"parentToolCallId":"a"`)},
		[]string{"tool_start [a x running] first"},
	},
	"a sub-agent with the id of an earlier call": {
		[]string{start("a", "x", ""), end("a", `,"ok":true`), `{"type":"subagent_start","id":"a","name":"one"}`, start("b", "x", `,"parentToolCallId":"a"`)},
		[]string{"tool_start [a x running] first", "tool_end [a x completed]", "subagent_start [a#2 one running] first", "tool_start [b x running of a#2] first"},
	},
	"sub-agents without an id are told apart by name": {
		[]string{
			`{"type":"subagent_start","name":"one"}`, `{"type":"subagent_start","name":"two"}`,
			`{"type":"subagent_end","name":"two","ok":true}`, `{"type":"subagent_end","name":"one","ok":false}`, `{"type":"subagent_end","name":"three","ok":true}`,
		},
		[]string{
			"subagent_start [call one running] first", "subagent_start [call#2 two running] first", "subagent_end [call#2 two completed]",
			"subagent_end [call one failed]", "tool_start [call#3 three running] first", "subagent_end [call#3 three completed]",
		},
	},
	"a confirmation before the start": {
		[]string{
			`{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x","args":{"n":1}}`,
			`{"type":"tool_confirmation_resolved","toolCallId":"a","decision":"allow_once"}`, start("a", "x", ""),
		},
		[]string{
			`tool_ready [a x pending {"n":1}] first`, `tool_confirmation_request [a x pending {"n":1}]`,
			`tool_confirmation_resolved [a x pending {"n":1}]`, `tool_start [a x running {"n":1}]`,
		},
	},
	"the resolution of what nobody asked": {[]string{`{"type":"tool_confirmation_resolved","toolCallId":"a"}`}, nil},
	"questions have ids of their own": {
		[]string{`{"type":"question","questionId":"q"}`, `{"type":"question","questionId":"q","toolCallId":"a"}`},
		[]string{"question question:q", "question question:q#2"},
	},
}

func TestToolCallsAreMadeLawful(t *testing.T) {
	for name, c := range lawful {
		t.Run(name, func(t *testing.T) { turn(t).add(c.in...).yields(c.want...) })
	}
}

func TestIDsAreNewInTheSession(t *testing.T) {
	w := turn(t).add(start("a", "x", ""), end("a", `,"ok":true`), start("a#2", "x", ""), done(""))
	w.steps = nil
	w.begin()
	w.add(start("a", "x", ""), end("a", `,"ok":true,"result":"r"`)).
		yields("tool_start [a#3 x running] first", "tool_end r [a#3 x completed]")
}

func TestEventsForOtherAudiencesAreNotYielded(t *testing.T) {
	for _, audience := range []string{"internal", "dashboard"} {
		hidden := `,"audience":"` + audience + `"`
		for name, c := range map[string]struct{ in, want []string }{
			"a call that is fine": {
				[]string{
					start("a", "x", hidden), output("a", "secret"), `{"type":"tool_args_delta","toolCallId":"a","delta":"{"}`,
					`{"type":"tool_ready","toolCallId":"a"}`, `{"type":"tool_approval_required","toolCallId":"a"}`, end("a", `,"ok":true,"result":"secret"`),
				}, nil,
			},
			"a call that never ends": {[]string{start("a", "x", hidden), done("")}, []string{"done end"}},
			"only an end":            {[]string{end("a", `,"ok":true`+hidden)}, nil},
			"a failure": {
				[]string{start("a", "x", hidden), end("a", `,"ok":false,"error":"boom"`+hidden)},
				[]string{"tool_start [a x running] first", "tool_end boom [a x failed]"},
			},
			"only a failure": {
				[]string{end("a", `,"toolName":"x","ok":false,"error":"boom"`+hidden)},
				[]string{"tool_start [a x running] first", "tool_end boom [a x failed]"},
			},
			"a failing sub-agent": {
				[]string{start("a", "x", hidden), `{"type":"subagent_end","id":"a","ok":false,"error":"boom"}`},
				[]string{"tool_start [a x running] first", "subagent_end boom [a x failed]"},
			},
			"a call that the user is asked about": {
				[]string{start("a", "x", hidden), `{"type":"tool_confirmation_request","toolCallId":"a"}`, end("a", `,"ok":true,"result":"r"`)},
				[]string{"tool_start [a x running] first", "tool_confirmation_request [a x running]", "tool_end r [a x completed]"},
			},
			"the result of a call that was shown": {
				[]string{start("a", "x", ""), end("a", `,"ok":true,"result":"secret"`+hidden)},
				[]string{"tool_start [a x running] first", "tool_end [a x completed]"},
			},
			"progress": {
				[]string{start("a", "x", ""), `{"type":"tool_progress","toolCallId":"a","message":"secret"` + hidden + `}`},
				[]string{"tool_start [a x running] first"},
			},
		} {
			t.Run(name+", "+audience, func(t *testing.T) { turn(t).add(c.in...).yields(c.want...) })
		}
	}
}

func TestProgressFindsItsCall(t *testing.T) {
	progress := func(more string) string {
		return `{"type":"tool_progress","audience":"user","message":"half"` + more + `}`
	}
	for name, c := range map[string]struct{ in, want []string }{
		"by id":   {[]string{progress(`,"toolCallId":"a"`)}, []string{"tool_progress half [a x running]"}},
		"by name": {[]string{progress(`,"toolName":"x"`)}, []string{"tool_progress half [a x running]"}},
		"by a name that two open calls have": {
			[]string{start("b", "x", ""), progress(`,"toolName":"x"`)},
			[]string{"tool_start [b x running] first", "tool_progress half"},
		},
		"by a name that one open call has": {
			[]string{start("b", "x", ""), end("a", `,"ok":true`), progress(`,"toolName":"x"`)},
			[]string{"tool_start [b x running] first", "tool_end [a x completed]", "tool_progress half [b x running]"},
		},
		"of no call":                 {[]string{progress(`,"toolName":"other"`)}, []string{"tool_progress half"}},
		"after the end":              {[]string{end("a", `,"ok":true`), progress(`,"toolCallId":"a"`)}, []string{"tool_end [a x completed]", "tool_progress half"}},
		"of the agent itself":        {[]string{progress(`,"toolName":"_compaction"`)}, []string{"notice warning half"}},
		"for nobody in particular":   {[]string{`{"type":"tool_progress","toolCallId":"a","message":"half"}`}, nil},
		"for an audience of its own": {[]string{`{"type":"tool_progress","toolCallId":"a","audience":"robots"}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := turn(t).add(start("a", "x", ""))
			w.steps = nil
			w.add(c.in...).yields(c.want...)
		})
	}
}

func TestArgumentsWithAGapAreDropped(t *testing.T) {
	piece := func(delta string) string {
		return `{"type":"tool_args_delta","toolCallId":"a","delta":"` + delta + `"}`
	}
	w := turn(t).add(piece(`{\"a\":\"`), piece(strings.Repeat("x", 2<<20)), piece(`\"}`))
	w.steps = nil
	w.add(start("a", "x", "")).yields("tool_start [a x running]")
}

func TestResultsAreCutWithAMark(t *testing.T) {
	w := turn(t)
	var result string
	w.normalizer.Add(&agent.ToolEnd{ToolCallID: "a", OK: true, Result: agent.NewText(strings.Repeat("€", normalize.MaxResult))}, func(s normalize.Step) {
		w.step(s)
		if e, ok := s.Event.(*agent.ToolEnd); ok {
			result = e.Result.String()
		}
	})
	shown, mark, cut := strings.Cut(result, "[… ")
	require.True(t, cut)
	require.Equal(t, strings.Repeat("€", normalize.MaxResult/3), shown)
	require.Equal(t, strconv.Itoa(2*normalize.MaxResult+1)+" bytes omitted …]", mark)
}

func TestManyOpenCallsAreBounded(t *testing.T) {
	w := turn(t)
	for i := range normalize.MaxOpen + 10 {
		w.add(start(fmt.Sprintf("c%d", i), "x", ""))
	}
	dropped := 0
	for _, s := range w.steps {
		if strings.Contains(s, "dropped: too many calls are open") {
			dropped++
		}
	}
	require.Equal(t, 10, dropped)
	w.add(done(""))
}

func TestIDsStayUniqueBeyondTheRememberedOnes(t *testing.T) {
	w := turn(t).add(start("a", "x", ""))
	for i := range normalize.MaxSeen {
		w.normalizer.Add(&agent.QuestionAsked{QuestionID: strconv.Itoa(i)}, func(normalize.Step) {})
	}
	w.add(start("a", "x", ""), done(""))
	require.Contains(t, w.steps, "tool_start [a#2 x running] first")
}
