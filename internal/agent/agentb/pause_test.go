package agentb_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentb"
)

// begun returns the events that start a call, as the framework sends them.
func begun(c string) []string {
	return []string{
		line("thread.run.step.tool_call.created", `{"toolCall":`+c+`}`),
		line("thread.run.step.tool_call.completed_by_llm", `{"toolCall":`+c+`}`),
	}
}

// resumed returns the continuation of a run that received the output of a
// call.
func resumed(id, output string) []string {
	return []string{
		line("agent.run.status.changed", `{"currentStatus":"in_progress"}`),
		line("agent.run.step.created", `{"stepId":"s"}`),
		line("thread.message.created", `{"message":{"id":"t","role":"tool","content":"`+output+`","metadata":{"tool_call_id":"`+id+`","name":"`+id+`"}}}`),
	}
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func TestWithoutARouteAPauseEndsTheTurn(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(join(begun(call("c1")), required(call("c1")))...))
	s := h.open(t, agentb.Config{})
	s.prompt("t1")
	got := s.UntilEnd()
	require.Len(t, got, 4)
	require.Contains(t, got[1], `"cancelled":true`)
	require.Contains(t, got[2], `"type":"notice"`)
	require.Contains(t, got[2], `getPrice({\"item\":\"herring\"})`)
	require.Equal(t, `{"type":"done","text":"","stopReason":"max_turn_requests"}`, got[3])
}

func TestWithARouteTheUserIsAskedForTheOutputs(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(join(begun(call("c1")), begun(call("c2")), required(call("c1"), call("c2"), call("c1")))...))
	h.on("/outputs",
		stream(join(resumed("c1", "3"), resumed("c2", "5"), begun(call("c1")), required(call("c1")))...),
		stream(join(resumed("c1", "9"), []string{completed("Three.")})...),
	)
	s := h.open(t, agentb.Config{ToolOutputs: "/outputs"})
	s.prompt("t1")
	got := s.until("question")
	require.JSONEq(t, `{"prompt":"how much?"}`, h.nextBody())
	require.Equal(t, `{"type":"question","questionId":"c2","question":"The agent is paused. What is the output of getPrice({\"item\":\"herring\"})?","header":"Tool output","toolCallId":"c2"}`, got[len(got)-1])

	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c2", Answer: `five "5"`})
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "three"})
	require.JSONEq(t, `{"runId":"run-1","threadId":"thread-1","toolOutputs":[{"tool_call_id":"c1","output":"three"},{"tool_call_id":"c2","output":"five \"5\""}]}`, h.nextBody())
	got = s.until("question")
	require.Contains(t, strings.Join(got, "\n"), `{"type":"tool_end","toolCallId":"c1","toolName":"getPrice","ok":true,"result":"3"}`)

	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "nine"})
	require.JSONEq(t, `{"runId":"run-1","threadId":"thread-1","toolOutputs":[{"tool_call_id":"c1","output":"nine"}]}`, h.nextBody(), "the id means another call now")
	got = s.UntilEnd()
	require.Equal(t, done, got[len(got)-1])
}

func TestRefusedOutputsAreNotInvented(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(join(begun(call("c1")), begun(call("c2")), required(call("c1"), call("c2")))...), stream(completed("Three.")))
	s := h.open(t, agentb.Config{ToolOutputs: "/outputs"})
	s.prompt("t1")
	s.until("question")
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "three"})
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c2", Cancelled: true})
	got := s.UntilEnd()
	require.Contains(t, strings.Join(got, "\n"), "The run stays paused")
	require.Equal(t, `{"type":"done","text":"","stopReason":"max_turn_requests"}`, got[len(got)-1])
	h.nextBody()
	s.prompt("t2")
	require.Equal(t, []string{done}, s.UntilEnd())
	require.JSONEq(t, `{"prompt":"how much?","threadId":"thread-1"}`, h.nextBody(), "nothing was sent in between")
}

func TestACancelWhileTheUserIsAskedEndsTheTurn(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(required(call("c1"))...))
	h.on("/cancel", refuse(200, `{}`))
	s := h.open(t, agentb.Config{ToolOutputs: "/outputs", CancelPath: "/cancel"})
	s.prompt("t1")
	s.until("question")
	h.nextBody()
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, s.UntilEnd())
	require.JSONEq(t, `{"runId":"run-1","threadId":"thread-1"}`, h.nextBody())
}

func TestRejectedOutputsFailTheTurn(t *testing.T) {
	for name, c := range map[string]struct{ status int }{"refused": {400}, "no route": {404}} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.on("/agent/stream", stream(required(call("c1"))...))
			h.on("/outputs", refuse(c.status, `{"error":"not paused"}`))
			s := h.open(t, agentb.Config{ToolOutputs: "/outputs"})
			s.prompt("t1")
			s.until("question")
			s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "three"})
			text, _ := s.failure()
			require.Contains(t, text, h.URL+"/outputs")
			require.Contains(t, text, "not paused")
		})
	}
}

func TestAContinuationThatBreaksOffIsAnError(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(required(call("c1"))...))
	h.on("/outputs", stream(": nothing"))
	s := h.open(t, agentb.Config{ToolOutputs: "/outputs"})
	s.prompt("t1")
	s.until("question")
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "three"})
	text, code := s.failure()
	require.Equal(t, "agent_cut_off", code)
	require.Contains(t, text, h.URL+"/outputs")
}

func TestNoOutputIsGivenAfterACancel(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(required(call("c1"), call("c2"))...), stream(completed("Three.")))
	s := h.open(t, agentb.Config{ToolOutputs: "/outputs"}) // this route does not exist
	s.prompt("t1")
	s.Until(func(e agent.Event) bool { q, ok := e.(*agent.QuestionAsked); return ok && q.QuestionID == "c2" })
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c1", Answer: "three"})
	s.Cancel(agent.Cancel{TurnID: "t1"})
	s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "c2", Answer: "five"})
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, s.UntilEnd())
	s.prompt("t2")
	require.Equal(t, []string{done}, s.UntilEnd())
	h.nextBody()
	require.JSONEq(t, `{"prompt":"how much?","threadId":"thread-1"}`, h.nextBody(), "nothing was sent in between")
}

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	of := func(id, members string) string {
		return `{"id":` + id + `,"type":"function","function":` + members + `}`
	}
	nested := strings.Repeat(`{"a":[`, 10_000) + strings.Repeat("]}", 10_000)
	const one = `{"runId":"run-1","threadId":"thread-1","toolOutputs":[{"tool_call_id":"c1","output":"five"}]}`
	for name, c := range map[string]struct {
		calls []string
		want  string // "" if the turn ends because the user can't be asked
	}{
		"nested 20,000 deep": {[]string{of(`"c1"`, `{"name":"x","arguments":`+nested+`}`)}, one},
		"wrong types":        {[]string{of(`"c1"`, `{"name":7,"arguments":[]}`)}, one},
		"no function":        {[]string{of(`"c1"`, `null`)}, one},
		"not UTF-8":          {[]string{of(`"c1"`, "{\"name\":\"\xff\",\"arguments\":\"\xfe\"}")}, one},
		"twice the same":     {[]string{call("c1"), call("c1")}, one},
		"no id":              {[]string{call("c1"), of(`null`, `{"name":"x"}`)}, ""},
		"an id of a number":  {[]string{of(`7`, `{"name":"x"}`)}, ""},
		"no call":            {[]string{call("c1"), `5`}, ""},
		"too long":           {[]string{of(`"c1"`, `{"name":"`+strings.Repeat("x", 33<<20)+`"}`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.on("/agent/stream", stream(required(c.calls...)...))
			h.on("/outputs", stream(completed("Three.")))
			s := h.open(t, agentb.Config{ToolOutputs: "/outputs"})
			s.prompt("t1")
			s.Until(func(e agent.Event) bool {
				if q, ok := e.(*agent.QuestionAsked); ok {
					s.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: q.QuestionID, Answer: "five"})
				}
				return e.Type() == "done" || e.Type() == "error"
			})
			h.nextBody()
			if c.want != "" {
				require.JSONEq(t, c.want, h.nextBody())
			}
			require.Empty(t, h.bodies)
		})
	}
}
