package aisdk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// asking is a stream that asks about two calls.
func asking() string {
	return events(start, step, call("c1"), call("c2"), approvalRequest("a1", "c1"), approvalRequest("a2", "c2"), endStep, `{"type":"finish","finishReason":"tool-calls"}`, done)
}

const input = `"input":{"n":12345678901234567890}`

func TestDecisionsAreSentTogether(t *testing.T) {
	c := open(t, serve(t, asking(), events(start, `{"type":"tool-output-denied","toolCallId":"c2"}`, `{"type":"tool-output-available","toolCallId":"c1","output":1}`, finish), say("on")), agent.Memory{})
	c.prompt("hi")
	c.awaitApprovals(2)
	c.Decide("a1", "c1", agent.AllowOnce)
	c.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: "a2", ToolCallID: "c2", Decision: agent.RejectOnce, Reason: "no"})
	c.Decide("a2", "c2", agent.AllowOnce) // too late
	require.Equal(t, []string{"end c2 false", "end c1 true", "done "}, c.end())
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","parts":[{"type":"step-start"},
		{"type":"tool-touch","toolCallId":"c1","state":"approval-responded",`+input+`,"approval":{"id":"a1","signature":"sig","approved":true}},
		{"type":"tool-touch","toolCallId":"c2","state":"approval-responded",`+input+`,"approval":{"id":"a2","signature":"sig","approved":false,"reason":"no"}}]}]`, c.messages(t, 1))
	c.prompt("on")
	c.end()
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","parts":[{"type":"step-start"},
		{"type":"tool-touch","toolCallId":"c1","state":"output-available",`+input+`,"output":1,"approval":{"id":"a1","signature":"sig","approved":true}},
		{"type":"tool-touch","toolCallId":"c2","state":"output-denied",`+input+`,"approval":{"id":"a2","signature":"sig","approved":false,"reason":"no"}}]},`+user2+`]`, c.messages(t, 2))
}

func TestOnlyADecisionThatAllowsPermits(t *testing.T) {
	for _, d := range []agent.Decision{agent.RejectOnce, agent.RejectAlways, agent.NotDecided, "", "yes"} {
		c := open(t, serve(t, events(start, call("c1"), approvalRequest("a1", "c1"), finish), say("x")), agent.Memory{})
		c.prompt("hi")
		c.awaitApprovals(1)
		c.Decide("a1", "c1", d)
		c.end()
		require.Contains(t, c.messages(t, 1), `"approved":false`)
		require.NotContains(t, c.messages(t, 1), `"approved":true`)
	}
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	for name, decide := range map[string]func(c *conversation){
		"before any decision": func(c *conversation) {
			c.Stop()
			c.Decide("a1", "c1", agent.AllowOnce)
			c.Decide("a2", "c2", agent.AllowOnce)
		},
		"after half of them": func(c *conversation) {
			c.Decide("a1", "c1", agent.AllowOnce)
			c.Stop()
			c.Decide("a2", "c2", agent.AllowOnce)
		},
		"with an unknown one":  func(c *conversation) { c.Decide("a9", "c1", agent.AllowOnce); c.Stop() },
		"with nothing decided": func(c *conversation) { c.Stop() },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, serve(t, asking(), say("on")), agent.Memory{})
			c.prompt("hi")
			c.awaitApprovals(2)
			decide(c)
			require.Contains(t, c.end(), "done cancelled")
			require.Equal(t, 1, c.requests())
			require.NotContains(t, string(c.state), `"approved":true`)
			c.prompt("on")
			c.end()
			require.NotContains(t, c.messages(t, 1), `"approved":true`)
			require.Contains(t, c.messages(t, 1), `"state":"output-denied"`)
		})
	}
}

func TestACancelClosesTheStream(t *testing.T) {
	c := open(t, serve(t, events(start, step, call("c1"), `{"type":"text-start","id":"0"}`, `{"type":"text-delta","id":"0","delta":"Par"}`)+hang, say("on")), agent.Memory{})
	c.prompt("hi")
	c.Until(func(e agent.Event) bool { return e.Type() == "text_delta" })
	c.Stop()
	require.Contains(t, c.end(), "done cancelled")
	<-c.gone
	c.prompt("on")
	require.Contains(t, c.end(), "on")
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","parts":[{"type":"step-start"},
		{"type":"tool-touch","toolCallId":"c1","state":"output-error",`+input+`,"errorText":"The call was interrupted."},
		{"type":"text","text":"Par","state":"done"}]},`+user2+`]`, c.messages(t, 1))
}

// A request that can't be decoded is refused, and the refusal is sent.
func TestAnUnreadableApprovalIsRefused(t *testing.T) {
	c := open(t, serve(t, events(start, call("c1"), `{"type":"tool-approval-request","approvalId":"a1","toolCallId":"c1","reason":7}`, call("c2"), approvalRequest("a2", "c2"), finish), say("x")), agent.Memory{})
	c.prompt("hi")
	c.awaitApprovals(2)
	c.Decide("a1", "c1", agent.NotDecided)
	c.Decide("a2", "c2", agent.AllowOnce)
	c.end()
	require.Contains(t, c.messages(t, 1), `"approval":{"approved":false,"id":"a1"`)
}

// An answer to nothing changes nothing.
func TestAnAnswerWithoutARequestIsIgnored(t *testing.T) {
	c := open(t, serve(t, events(start, `{"type":"tool-approval-response","approvalId":"a1","toolName":"x","approved":true}`, call("c1"),
		`{"type":"tool-approval-response","approvalId":"a1","approved":true}`, finish), say("x")), agent.Memory{})
	c.prompt("hi")
	c.end()
	c.prompt("on")
	c.end()
	require.NotContains(t, c.messages(t, 1), `"approved":true`)
}
