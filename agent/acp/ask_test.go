package acp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

const (
	refused  = `{"outcome":{"outcome":"cancelled"}}`
	asksOnce = "confirm c1[yes-1:allow_once yes-2:allow_always no-1:reject_once]"
)

func TestADecisionPicksTheOptionOfItsKind(t *testing.T) {
	for decision, want := range map[agent.Decision]string{
		agent.AllowOnce:        `{"outcome":{"outcome":"selected","optionId":"yes-1"}}`,
		agent.AllowAlways:      `{"outcome":{"outcome":"selected","optionId":"yes-2"}}`,
		agent.RejectOnce:       `{"outcome":{"outcome":"selected","optionId":"no-1"}}`,
		agent.RejectAlways:     refused, // it is not offered
		agent.NotDecided:       refused,
		agent.Decision("sure"): refused,
	} {
		t.Run(string(decision), func(t *testing.T) {
			c := open(t, "conformant")
			c.prompt("permit")
			require.Equal(t, []string{"tool_ready", asksOnce}, c.asks())
			c.decide(decision)
			require.Equal(t, []string{want, "done end_turn"}, c.UntilEnd())
		})
	}
}

func TestAnOptionOfAnUnknownKindIsNotOffered(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-unknown")
	require.Equal(t, []string{"confirm c1[yes-2:allow_always no-1:reject_once]"}, c.asks())
	c.decide(agent.AllowOnce)
	require.Equal(t, []string{refused, "tool_end", "done end_turn"}, c.UntilEnd())
}

func TestRequestsAboutOneCallAreAnsweredEach(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-twice")
	c.says("both")
	c.confirm("permission-1000002", agent.AllowAlways)
	c.confirm("permission-1000001", agent.RejectOnce)
	got := c.UntilEnd()
	require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"no-1"}}`, got[0])
	require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"yes-2"}}`, got[1])
}

func TestAnAnswerThatMayBeToEitherOfTwoRequestsIsConsentToNone(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-twice")
	c.says("both")
	c.decide(agent.AllowOnce)
	require.Equal(t, []string{refused, refused}, c.UntilEnd()[:2])
}

func TestARequestThatIsTakenBackIsAnsweredAndSettled(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-withdraw")
	got := c.UntilEnd()
	require.Equal(t, []string{"-32800 context canceled", "tool_end", "done end_turn"}, got[len(got)-3:])
	if asked := got[:len(got)-3]; len(asked) > 0 { // else it was taken back before the user was asked
		require.Equal(t, []string{asksOnce, "tool_confirmation_resolved"}, asked)
	}
	c.decide(agent.AllowOnce) // too late, and harmless
	c.prompt("say next")
	require.Equal(t, []string{"next", "done end_turn"}, c.UntilEnd())
}

func TestAMalformedRequestIsAnswered(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-malformed")
	require.Contains(t, c.UntilEnd()[0], "-32602 ")
}

func values(text string) agent.QuestionResponse {
	var r agent.QuestionResponse
	if err := json.Unmarshal([]byte(text), &r.Values); err != nil {
		panic(err)
	}
	return r
}

func TestFormsAreAnswered(t *testing.T) {
	for form, c := range map[string]struct {
		answer agent.QuestionResponse
		want   string
	}{
		`"leaf":{"type":"string"}`: {values(`{"leaf":"assam"}`), `{"action":"accept","content":{"leaf":"assam"}}`},
		`"leaf":{"type":"string"},"cups":{"type":"integer"},"hot":{"type":"boolean"}`: {values(`{"leaf":"x","cups":3,"hot":false}`), `{"action":"accept","content":{"cups":3,"hot":false,"leaf":"x"}}`},
		`"leaf":{"type":"string","default":"none given"}`:                             {values(`{}`), `{"action":"accept"}`},
		`"leaf":{"type":"array","items":{"anyOf":[{"const":"x","title":"X tea"}]}}`:   {values(`{"leaf":["x"]}`), `{"action":"accept","content":{"leaf":["x"]}}`},
		`"leaf":{"type":"string","title":"without values"}`:                           {agent.QuestionResponse{Answer: "c"}, `{"action":"cancel"}`},
		`"leaf":{"type":"string","title":"cancelled"}`:                                {agent.QuestionResponse{Cancelled: true}, `{"action":"cancel"}`},
		`"leaf":{"type":"string","title":"declined"}`:                                 {agent.QuestionResponse{Cancelled: true, Declined: true}, `{"action":"decline"}`},
		``:  {agent.QuestionResponse{Answer: "Accept"}, `{"action":"accept"}`},
		` `: {agent.QuestionResponse{Answer: "Decline"}, `{"action":"decline"}`},
	} {
		t.Run(form, func(t *testing.T) {
			conv := open(t, "conformant")
			conv.prompt("form " + form)
			require.Contains(t, conv.asks()[0], "question elicitation-1000001")
			c.answer.TurnID, c.answer.QuestionID = conv.Turn, "elicitation-1000001"
			conv.Answer(c.answer)
			require.Contains(t, conv.UntilEnd(), c.want)
		})
	}
}

func TestAPageIsAskedForAndAnswered(t *testing.T) {
	for want, answer := range map[string]agent.QuestionResponse{
		`{"action":"accept"}`:  {},
		`{"action":"decline"}`: {Cancelled: true, Declined: true},
		`{"action":"cancel"}`:  {Cancelled: true},
	} {
		c := open(t, "conformant")
		c.prompt(`ask elicitation/create {"mode":"url","message":"Log in","url":"https://tea.example","elicitationId":"e"}`)
		require.Contains(t, c.asks()[0], "question elicitation-1000001")
		answer.TurnID, answer.QuestionID = c.Turn, "elicitation-1000001"
		c.Answer(answer)
		require.Contains(t, c.UntilEnd(), want)
	}
}

func TestFormsThatCannotBeAskedAreDeclined(t *testing.T) {
	for _, params := range []string{
		`{"mode":"form","message":"m","requestedSchema":{"properties":{"a":{"type":"object"}}}}`,
		`{"mode":"form","message":"m","requestedSchema":{"properties":{"a":{"type":"array"}}}}`,
		`{"mode":"form","message":"m","requestedSchema":{"properties":{"a":7}}}`,
		`{"mode":"url","message":"m"}`,
		`{"mode":"_dance","message":"m"}`,
	} {
		c := open(t, "conformant")
		c.prompt("ask elicitation/create " + params)
		require.Equal(t, []string{"notice The agent asked for a form that cannot be shown; it was declined", `{"action":"decline"}`, "done end_turn"}, c.UntilEnd())
	}
}

func TestWhatTheClientDoesNotHaveIsNotFound(t *testing.T) {
	for _, method := range []string{"terminal/create", "fs/read_text_file", "fs/write_text_file", "session/prompt"} {
		c := open(t, "conformant")
		c.prompt("ask " + method + ` {"path":"/x","content":""}`)
		require.Contains(t, c.UntilEnd()[0], "-32601 ")
	}
}

func TestGlueIsUnderstood(t *testing.T) {
	for decision, want := range map[agent.Decision]string{
		agent.AllowOnce:  `{"outcome":{"outcome":"selected","optionId":"allow"}}`,
		agent.RejectOnce: `{"outcome":{"outcome":"selected","optionId":"deny"}}`,
		agent.NotDecided: refused,
	} {
		c := openWith(t, acp.NewGlue(standing("glue")), agent.Options{})
		c.prompt("permit-glue")
		require.Equal(t, []string{"notice small pot", "tool_pending", "confirm c1[allow:allow_once deny:reject_once]"}, c.asks())
		c.decide(decision)
		require.Equal(t, []string{want, "done end_turn"}, c.UntilEnd())
	}
}

func TestGlueThatHasLostTheSessionGetsAnother(t *testing.T) {
	c := openWith(t, acp.NewGlue(standing("glue")), agent.Options{})
	c.prompt("forget")
	require.Equal(t, []string{"notice The agent had lost the session: it does not know what was said before.", "here again", "done end_turn"}, c.UntilEnd())
	c.prompt(`fail {"code":-32600,"message":"Session is busy"}`)
	require.Equal(t, []string{"error agent_failed teapot is still busy with an earlier prompt; wait, or open a new session"}, c.UntilEnd())
}
