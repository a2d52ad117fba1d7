package wire_test

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
)

func TestOnlyLinesOfAgentaoAreRecognised(t *testing.T) {
	for _, line := range []string{
		`{"type":"turn_begin","schema_version":1,"data":{"user_message":"x"}}`,
		`{"type":"llm_text","data":{"chunk":"x"},"ts":1.5}`,
		`{"type":"tool_start","schema_version":1,"data":{"tool":"glob"}}`,
		`{"type":"error","schema_version":1,"data":{"message":"x"}}`,
		`{"seq":1,"kind":"replay_header","payload":{}}`,
		`{"type":"host.ready"}`,
	} {
		require.True(t, wire.Dialect.Recognise([]byte(line)), "%s", line)
	}
	for _, line := range []string{
		``, `x`, `[]`, `{}`, `{"type":7}`, `{"type":"llm_text"`,
		`{"type":"text_delta","text":"x"}`,
		`{"type":"tool_start","toolCallId":"a","toolName":"b"}`,
		`{"type":"error","error":"x"}`,
		`{"type":"error","data":{"message":"x"}}`,
		`{"type":"tool_call_start","data":{"id":"x"}}`,
		`{"type":"tool_start","schema_version":1}`,
		`{"type":"host.other"}`,
		`{"kind":"error","payload":{"message":"x"}}`,
		`{"seq":1,"kind":"other","payload":{}}`,
		`{"seq":1,"kind":"error"}`,
	} {
		require.False(t, wire.Dialect.Recognise([]byte(line)), "%s", line)
	}
}

func TestLinesThatAreNotEventsAreErrors(t *testing.T) {
	for _, line := range []string{``, `x`, `[1]`, `null`, `{"no":"type"}`, `{"type":null}`, `{"type":1,"kind":2}`, `{"type":"llm_text"`, `{"kind":7,"payload":{}}`} {
		err := newStream(t).decoder.Decode([]byte(line), func(agent.Event) bool { return true })
		require.ErrorIs(t, err, dialect.ErrNotObject, "%s", line)
	}
	for _, line := range []string{
		event("tool_start", `{"tool":1}`), event("tool_start", `[]`), event("llm_text", `{"chunk":{}}`),
		event("turn_end", `"x"`), event("llm_call_delta", `7`), event("agent_end", `{"turns":"many"}`),
		`{"type":"host.confirm","id":[]}`, `{"seq":1,"kind":"tool_lifecycle","payload":{"phase":1}}`,
	} {
		err := newStream(t).decoder.Decode([]byte(line), func(e agent.Event) bool {
			require.Fail(t, "an event of a malformed line", "%s", line)
			return true
		})
		malformed := new(dialect.MalformedError)
		require.ErrorAs(t, err, &malformed, "%s", line)
		require.Equal(t, line, string(malformed.Raw))
	}
}

func TestBackgroundHelpersDoNotSplitTheAnswer(t *testing.T) {
	s := newStream(t)
	s.add(event("turn_begin", `{}`), event("turn_start", `{}`), event("llm_call_started", `{"attempt":1}`),
		event("llm_text", `{"chunk":"All "}`),
		event("turn_start", `{}`), // a helper's
		event("llm_text", `{"chunk":"is well."}`))
	require.Equal(t, []string{`{"type":"done","text":""}`}, s.add(event("turn_end", `{"final_text":"All is well.","status":"ok"}`)),
		"what was streamed is not said again")
}

func TestConfirmedPlansAreShown(t *testing.T) {
	s := newStream(t)
	const args = `{"todos":[{"content":"Look","status":"pending"}]}`
	s.add(event("turn_begin", `{}`), `{"type":"host.confirm","id":"confirm-1","tool":"todo_write","args":`+args+`}`)
	require.Equal(t, []string{"tool_start", "plan", "tool_end"}, s.types(
		event("tool_start", `{"tool":"todo_write","call_id":"a","args":`+args+`}`),
		event("tool_complete", `{"tool":"todo_write","call_id":"a","status":"ok"}`),
		event("tool_result", `{"tool":"todo_write","call_id":"a","content":"Saved."}`)))
}

func TestAPIKeysInProviderErrorsAreHidden(t *testing.T) {
	for _, key := range []string{"sk-abcdefgh12345678", "gsk_abcdefgh12345678", "Bearer abcdefgh12345678", "AIzaabcdefgh12345678"} {
		s := newStream(t)
		s.add(event("llm_call_completed", `{"status":"error","error_class":"AuthenticationError"}`))
		got := s.add(event("turn_end", `{"final_text":"[LLM API error: wrong key `+key+`]","status":"ok","incomplete_reason":"llm_error"}`))
		require.Len(t, got, 1)
		require.NotContains(t, got[0], "abcdefgh12345678")
	}
}

func TestUnknownTypesAreYieldedWhole(t *testing.T) {
	s := newStream(t)
	require.Equal(t, []string{event("quantum_leap", `{"n":12345678901234567890}`)}, s.add(event("quantum_leap", `{"n":12345678901234567890}`)))
	row := `{"seq":4,"kind":"quantum_leap","payload":{}}`
	err := s.decoder.Decode([]byte(row), func(e agent.Event) bool {
		require.Equal(t, "replay:quantum_leap", e.Type())
		return true
	})
	require.NoError(t, err)
}

func TestNothingFollowsARefusedEvent(t *testing.T) {
	s := newStream(t)
	s.add(event("tool_start", `{"tool":"glob","call_id":"a"}`), event("tool_complete", `{"tool":"glob","call_id":"a","status":"ok"}`))
	given := 0
	err := s.decoder.Decode([]byte(event("turn_end", `{"final_text":"so","status":"ok"}`)), func(agent.Event) bool {
		given++
		return false
	})
	require.NoError(t, err)
	require.Equal(t, 1, given)
}

func TestMessagesInModelRequestsAreNotPassedOn(t *testing.T) {
	for _, name := range []string{"llm_call_delta", "llm_call_io"} {
		got := newStream(t).add(event(name, `{"attempt":1,"messages":[{"content":"secret one"}],"added_messages":[{"content":"secret two"},{}],"tools":{"a":"secret three"},"error_message":"Bearer abcdefgh1234 was refused"}`))
		require.Len(t, got, 1)
		require.NotContains(t, got[0], "secret")
		require.NotContains(t, got[0], "abcdefgh")
		require.Contains(t, got[0], `"data":{"attempt":1,"messages":1,"added_messages":2,"tools":1,`)
	}
}

func TestAThoughtThatRepeatsALongAnswerIsDropped(t *testing.T) {
	s := newStream(t)
	s.add(event("llm_call_started", `{}`))
	piece := strings.Repeat("word ", 1000)
	for range 400 {
		s.add(event("llm_text", `{"chunk":"`+piece+`"}`))
	}
	whole := strings.TrimSpace(strings.Repeat(piece, 400))
	require.Empty(t, s.add(event("thinking", `{"text":"`+whole+`"}`)))
	require.Equal(t, []string{"done"}, s.types(event("turn_end", `{"final_text":"`+whole+`","status":"ok"}`)))
}

func TestRepeatedThoughtsAreComparedWithTheAnswer(t *testing.T) {
	s := newStream(t)
	thought := func(text string) []string { return s.add(event("thinking", `{"text":"`+text+`"}`)) }
	for range 2 {
		require.Len(t, thought("so"), 1)
	}
	s.add(event("llm_text", `{"chunk":"so"}`))
	require.Len(t, thought("why"), 1)
	require.Empty(t, thought("so"))
	require.Len(t, thought("why"), 1)
}

func TestOnlyTheLastAnswerCounts(t *testing.T) {
	for name, between := range map[string]string{
		"a request began":                    event("llm_call_started", `{}`),
		"a round began, and the model spoke": event("turn_start", `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStream(t)
			s.add(event("llm_text", `{"chunk":"Done."}`), between, event("llm_text", `{"chunk":" "}`))
			got := s.add(event("turn_end", `{"final_text":"Done.","status":"ok"}`))
			require.Equal(t, []string{`{"type":"text_delta","text":"Done.","messageId":"final"}`, `{"type":"done","text":""}`}, got)
		})
	}
	t.Run("a round began, and nothing was said", func(t *testing.T) {
		s := newStream(t)
		s.add(event("llm_text", `{"chunk":"Done."}`), event("turn_start", `{}`))
		require.Equal(t, []string{"done"}, s.types(event("turn_end", `{"final_text":"Done.","status":"ok"}`)))
	})
}

func TestTextSplitInTwoIsFoundInAThought(t *testing.T) {
	s := newStream(t)
	s.add(event("llm_text", `{"chunk":"a \ud83d"}`), event("llm_text", `{"chunk":"\ude42\n"}`))
	require.Empty(t, s.add(event("thinking", `{"text":"a \ud83d\ude42"}`)))
}

func TestOutputBelongsToTheRunningCall(t *testing.T) {
	out := func(chunk string) string {
		return event("tool_output", `{"tool": "shell", "chunk": "`+chunk+`", "call_id": "a"}`)
	}
	start := event("tool_start", `{"tool":"shell","call_id":"a"}`)
	s := newStream(t)
	s.add(start)
	for range 3 { // the second and third are like the first
		require.Equal(t, []string{`{"type":"tool_output","toolCallId":"a","text":"x"}`}, s.add(out("x")))
	}
	s.add(event("tool_complete", `{"tool":"shell","call_id":"a","status":"error","error":"x"}`), start)
	for range 2 {
		require.Equal(t, []string{`{"type":"tool_output","toolCallId":"a#2","text":"y"}`}, s.add(out("y")))
	}
	require.Equal(t, []string{`{"type":"tool_output","toolCallId":"b","text":"z"}`},
		s.add(event("tool_output", `{"tool":"shell","chunk":"z","call_id":"b"}`)), "also to one that nobody began")
}

func TestDecoderMemoryIsBounded(t *testing.T) {
	s := newStream(t)
	for i := range 1200 {
		id := strconv.Itoa(i)
		s.add(
			event("tool_start", `{"tool":"glob","call_id":"`+id+`"}`),
			event("tool_complete", `{"tool":"glob","call_id":"`+id+`","status":"ok"}`),
			event("tool_confirmation", `{"tool":"glob","args":{"n":`+id+`}}`),
			event("agent_start", `{"agent":"a`+id+`"}`),
		)
	}
	require.LessOrEqual(t, len(s.types(event("turn_end", `{"status":"ok"}`))), 1025)
	require.Equal(t, []string{"done"}, s.types(event("turn_end", `{"status":"ok"}`)), "and forgotten with the turn")
}

func TestResultsThatReportAFailure(t *testing.T) {
	for result, ok := range map[string]bool{
		"":                                    true,
		"Errors: none":                        true,
		"Error":                               true,
		"Error handling is in err.go: see it": true,
		"Error: no such file":                 false,
		"Error reading file: not UTF-8":       false,
		"Error executing glob: what":          false,
		"All good. Error: none":               true,
	} {
		s := newStream(t)
		s.add(event("tool_start", `{"tool":"glob","call_id":"a"}`))
		got := s.add(event("tool_result", `{"tool":"glob","call_id":"a","status":"ok","content":"`+result+`"}`))
		require.Len(t, got, 1)
		require.Contains(t, got[0], fmt.Sprintf(`"ok":%t`, ok), "%q", result)
	}
}

func TestResultsThatAreNotTextAreShown(t *testing.T) {
	s := newStream(t)
	got := s.add(event("tool_result", `{"tool":"glob","call_id":"a","status":"ok","content":{"files":["x"]}}`))
	require.Contains(t, got[0], `"result":"{\"files\":[\"x\"]}"`)
}

func TestTheReasonForAConfirmationIsShort(t *testing.T) {
	for data, want := range map[string]string{
		`"args":{"description":" Tidy up "},"description":"Runs a command."`:    `"reason":"Tidy up"`,
		`"args":{"description":7},"description":"Runs a command. Never use rm"`: `"reason":"Runs a command."`,
		`"args":null,"description":"Runs a command\nNever use rm"`:              `"reason":"Runs a command"`,
		`"description":null`: `"toolName":"shell","decisions"`,
	} {
		got := newStream(t).add(`{"type":"host.confirm","id":"confirm-1","tool":"shell",` + data + `}`)
		require.Len(t, got, 1)
		require.Contains(t, got[0], want)
	}
}

func TestHostRequestsWithInvalidMembersAreAsked(t *testing.T) {
	nested := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for line, want := range map[string]string{
		`{"type":"host.confirm","id":"c","tool":7,"description":[],"args":"x"}`:              "tool_confirmation_request",
		`{"type":"host.confirm","id":"c","tool":"x","description":"","args":` + nested + `}`: "tool_confirmation_request",
		`{"type":"host.confirm","tool":"x","args":{}}`:                                       "",
		`{"type":"host.confirm","id":7,"tool":"x","args":{}}`:                                "",
		`{"type":"host.ask","id":"q","question":[],"options":{},"multiple":3}`:               "question",
		`{"type":"host.ask","question":"?"}`:                                                 "",
		`{"type":"host.max_iterations","id":"m","count":"many","options":7}`:                 "question",
	} {
		var got []string
		dialect.Decode(wire.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), []byte(line), func(e agent.Event) bool {
			got = append(got, e.Type())
			return true
		})
		require.Equal(t, want, strings.Join(got, " "), line[:30])
	}
}
