package awaken_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// question returns a suspension that is not a permission.
func question(mode, schema string) string {
	return `{"event_type":"tool_call_done","id":"q1","result":{"tool_name":"choose","status":"pending","suspension":{"suspension":{"id":"s1",` +
		`"action":"tool:choose","message":"Well?","response_schema":` + schema + `},"pending":{"id":"s1","name":"choose","arguments":{}},` +
		`"resume_mode":"` + mode + `"}},"outcome":"suspended"}`
}

func TestAnAnswerHasTheShapeOfTheResponseSchema(t *testing.T) {
	const result, replay = "use_decision_as_tool_result", "replay_tool_call"
	for name, c := range map[string]struct {
		mode, schema string
		options      []string
		answer       agent.QuestionResponse
		action, want string
	}{
		"any text":               {result, `null`, nil, agent.QuestionResponse{Answer: "a \"b\""}, "resume", `"a \"b\""`},
		"a string":               {result, `{"type":"string"}`, nil, agent.QuestionResponse{Answer: "a"}, "resume", `"a"`},
		"a number":               {result, `{"type":"integer"}`, nil, agent.QuestionResponse{Answer: " 12 "}, "resume", `12`},
		"no number":              {result, `{"type":"number"}`, nil, agent.QuestionResponse{Answer: "twelve"}, "cancel", `null`},
		"a boolean":              {result, `{"type":"boolean"}`, []string{"Yes", "No"}, agent.QuestionResponse{Answer: "No"}, "resume", `false`},
		"a choice":               {result, `{"enum":["x","y"]}`, []string{"x", "y"}, agent.QuestionResponse{Answer: "y"}, "resume", `"y"`},
		"a choice of numbers":    {result, `{"enum":[1,2]}`, []string{"1", "2"}, agent.QuestionResponse{Answer: "2"}, "resume", `2`},
		"none of the choices":    {result, `{"enum":["x","y"]}`, []string{"x", "y"}, agent.QuestionResponse{Answer: "z"}, "cancel", `null`},
		"several choices":        {result, `{"type":"array","items":{"enum":["x","y","z"]}}`, []string{"x", "y", "z"}, agent.QuestionResponse{Answers: []string{"x", "z"}}, "resume", `["x","z"]`},
		"a member of an object":  {result, `{"type":"object","properties":{"n":{"type":"number"}}}`, nil, agent.QuestionResponse{Answer: "4"}, "resume", `{"n":4}`},
		"the one that is needed": {result, `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`, nil, agent.QuestionResponse{Answer: "v"}, "resume", `{"b":"v"}`},
		"whether to go on":       {replay, `null`, []string{"Continue", "Cancel"}, agent.QuestionResponse{Answer: "Continue"}, "resume", `null`},
		"whether not to":         {replay, `null`, []string{"Continue", "Cancel"}, agent.QuestionResponse{Answer: "Cancel"}, "cancel", `null`},
		"no answer":              {result, `null`, nil, agent.QuestionResponse{Cancelled: true}, "cancel", `null`},
	} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) {
				r.say(began, question(c.mode, c.schema), paused)
				d, _ := r.wait()
				r.say(began, resumes("q1", string(d.Payload)), finished)
			})
			conversation := open(t, s.url)
			conversation.prompt("t1")
			got := conversation.until(`"type":"question"`)
			var asked agent.QuestionAsked
			require.NoError(t, json.Unmarshal([]byte(got[len(got)-1]), &asked))
			require.Equal(t, c.options, asked.Options)
			c.answer.TurnID, c.answer.QuestionID = "t1", "s1"
			conversation.Answer(c.answer)
			d := <-s.decisions
			require.Equal(t, c.action, d.Action)
			require.JSONEq(t, c.want, string(d.Payload))
			conversation.untilEnd()
		})
	}
}

func TestUnanswerableQuestionsAreReportedAndCancelTheRun(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
		`{"type":"array","items":{"type":"string"}}`,
		`{"enum":[{"deep":1}]}`,
		`{"type":["string","null"]}`,
		`7`,
	} {
		s := stand(t, func(r *standRun) { r.say(began, question("use_decision_as_tool_result", schema), paused) })
		c := open(t, s.url)
		c.prompt("t1")
		got := c.untilEnd()
		require.Equal(t, 1, count(got, "waits for something that cannot be provided here"), "%s: %q", schema, got)
		require.Equal(t, "r1", <-s.cancelled)
	}
}

func TestEarlyDecisionsAreRetried(t *testing.T) {
	s := stand(t, suspend)
	s.early = 2
	c := open(t, s.url)
	c.prompt("t1")
	c.until("tool_confirmation_request")
	c.decide("c1", agent.AllowOnce)
	got := c.untilEnd()
	require.Equal(t, 1, count(got, `"text":"Done."`), "%q", got)
	require.Len(t, s.decisions, 1)
}

func TestADecisionThatIsRefusedIsShown(t *testing.T) {
	s := stand(t, suspend)
	s.early = 1 << 20
	c := open(t, s.url)
	c.prompt("t1")
	c.until("tool_confirmation_request")
	c.decide("c1", agent.AllowOnce)
	got := c.until(`"fatal":false`)
	require.Contains(t, got[len(got)-1], "/v1/runs/r1/decision")
	s.patient()
	c.Stop()
	require.Equal(t, "cancel", (<-s.decisions).Action, "what was not decided is refused")
	require.Equal(t, "r1", <-s.cancelled)
	c.untilEnd()
}

func TestAnErrorOfTheEventStoreIsTriedAgainAndThenShown(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.say(began, textDelta("a"), textDelta("b"))
		<-r.server.stop
	})
	s.breaks, s.broken = 2, true
	c := open(t, s.url)
	c.prompt("t1")
	got := c.untilEnd()
	require.Contains(t, got[len(got)-1], "the disk is full")
	require.Equal(t, "r1", <-s.cancelled)
	streams := 0
	for _, request := range s.requests() {
		if strings.Contains(request, "/events/stream") {
			streams++
		}
	}
	require.Equal(t, 5, streams, "the first, which came after something new, and four in vain")
}
