package awaken_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

func TestEachTurnIsARunInTheSameThread(t *testing.T) {
	s := stand(t, func(r *standRun) { r.say(began, textDelta("Hello"), finished) })
	c := open(t, s.url)
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn)
		got := c.untilEnd()
		require.Contains(t, got, `{"type":"text_delta","text":"Hello"}`)
		require.Equal(t, `{"type":"done","text":""}`, got[len(got)-1])
	}
	message := []any{map[string]any{"role": "user", "content": "do t1"}}
	require.Equal(t, map[string]any{"agentId": "helper", "messages": message}, s.bodies()[0])
	require.Equal(t, "th", s.bodies()[1]["threadId"])
	require.Empty(t, s.cancelled)
}

func TestWithoutANameItIsTheDefaultAgent(t *testing.T) {
	s := stand(t, func(r *standRun) { r.say(began, finished) })
	c := openAgent(t, awaken.New(awaken.Config{Remote: httpsse.Config{BaseURL: s.url}}))
	c.prompt("t1")
	c.untilEnd()
	require.Equal(t, "default", s.bodies()[0]["agentId"])
}

// suspend is a run that waits for one decision, then continues.
func suspend(r *standRun) {
	r.say(began, textDelta("I will deploy. "), ready("c1"), suspends("c1"), paused)
	d, ok := r.wait()
	if !ok {
		r.say(stopped)
		return
	}
	result := `{"url":"http://deployed"}`
	if d.Action == "cancel" {
		result = string(d.Payload)
	}
	r.say(began, resumes("c1", result), textDelta("Done."), finished)
}

func TestAnApprovedCallGoesOnInTheSameTurn(t *testing.T) {
	s := stand(t, suspend)
	c := open(t, s.url)
	c.prompt("t1")
	got := c.until("tool_confirmation_request")
	require.Contains(t, got[len(got)-1], `"decisions":["allow_once","reject_once"]`)
	c.decide("c1", agent.AllowOnce)
	d := <-s.decisions
	require.Equal(t, "c1", d.Target)
	require.Equal(t, "resume", d.Action)
	require.JSONEq(t, `{"kind":"permission_decision","approved":true,"policy":"allow_once"}`, string(d.Payload))
	got = append(got, c.untilEnd()...)
	require.Equal(t, 1, count(got, "I will deploy"), "nothing is repeated: %q", got)
	require.Equal(t, 1, count(got, "tool_confirmation_request"))
	require.Equal(t, 1, count(got, `"text":"Done."`))
	require.Equal(t, 1, count(got, `"type":"tool_end","toolCallId":"c1","toolName":"deploy","ok":true`))
	require.Equal(t, `{"type":"done","text":""}`, got[len(got)-1])
	require.Empty(t, s.cancelled)
}

func TestARefusedCallIsCancelledAndTheRunGoesOn(t *testing.T) {
	for _, d := range []agent.Decision{agent.RejectOnce, agent.RejectAlways, agent.NotDecided, "nonsense"} {
		s := stand(t, suspend)
		c := open(t, s.url)
		c.prompt("t1")
		c.until("tool_confirmation_request")
		c.decide("c1", d)
		sent := <-s.decisions
		require.Equal(t, "cancel", sent.Action, "%s", d)
		require.Contains(t, string(sent.Payload), `"approved":false`)
		got := c.untilEnd()
		require.Equal(t, 1, count(got, `"type":"tool_end","toolCallId":"c1","toolName":"deploy","ok":false,"cancelled":true`), "%q", got)
		require.Equal(t, 1, count(got, `"text":"Done."`))
	}
}

func TestSeveralSuspensionsAreDecidedOneByOne(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.say(began, ready("c1"), ready("c2"), suspends("c1"), suspends("c2"), paused)
		for range 2 {
			d, ok := r.wait()
			if !ok {
				return
			}
			if r.say(began, resumes(d.Target, `"ok"`)); len(r.decided) == 0 {
				r.say(textDelta("after " + d.Target))
			}
			if d.Target == "c1" {
				r.say(paused)
			}
		}
		r.say(finished)
	})
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"toolCallId":"c2","toolName":"deploy","args":{"to":"c2"},"reason"`)
	c.decide("c1", agent.AllowOnce)
	c.until("after c1")
	c.decide("c2", agent.RejectOnce)
	got := c.untilEnd()
	require.Equal(t, 1, count(got, "after c2"))
	require.Equal(t, "resume", (<-s.decisions).Action)
	require.Equal(t, "cancel", (<-s.decisions).Action)
}

func TestACancelDuringAnApprovalRefusesAndCancels(t *testing.T) {
	s := stand(t, suspend)
	c := open(t, s.url)
	c.prompt("t1")
	c.until("tool_confirmation_request")
	c.Stop()
	require.Equal(t, "cancel", (<-s.decisions).Action)
	require.Equal(t, "r1", <-s.cancelled)
	c.decide("c1", agent.NotDecided) // the bridge's answer to a request that it withdrew
	c.untilEnd()
	s.noDecision()
}

// If the server has not received an approval when the user cancels, the
// approval must never reach it.
func TestACancelWithdrawsADeferredApproval(t *testing.T) {
	hold := make(chan struct{})
	s := stand(t, func(r *standRun) {
		r.say(began, ready("c1"), suspends("c1"))
		<-hold // not suspended yet: decisions are deferred
		r.say(paused)
		r.wait()
		r.say(stopped)
	})
	c := open(t, s.url)
	c.prompt("t1")
	c.until("tool_confirmation_request")
	c.decide("c1", agent.AllowOnce)
	c.Stop()
	require.Equal(t, "cancel", (<-s.decisions).Action)
	require.Equal(t, "r1", <-s.cancelled)
	close(hold)
	c.untilEnd()
	s.noDecision()
}

func TestACancelledTurnEndsEvenIfTheServerIgnoresIt(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.say(began, textDelta("on and on"))
		<-r.server.stop
	})
	a := awaken.NewHurried(awaken.Config{Remote: httpsse.Config{BaseURL: s.url}, AgentID: "helper"}, time.Millisecond, time.Millisecond)
	c := openAgent(t, a)
	c.prompt("t1")
	c.until("on and on")
	c.Stop()
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, c.untilEnd())
	require.Equal(t, "r1", <-s.cancelled)
}

func TestACancelBeforeTheRunHasANameIsNotLost(t *testing.T) {
	proceed := make(chan struct{})
	s := stand(t, func(r *standRun) {
		r.say(`{"event_type":"step_start","message_id":"early"}`)
		<-proceed
		r.say(began)
		r.wait()
		r.say(stopped)
	})
	c := open(t, s.url)
	c.prompt("t1")
	c.until("early")
	c.Stop()
	close(proceed)
	got := c.untilEnd()
	require.Equal(t, `{"type":"done","text":"","stopReason":"cancelled"}`, got[len(got)-1])
	require.Equal(t, "r1", <-s.cancelled)
}

func TestCloseCancelsTheRun(t *testing.T) {
	s := stand(t, suspend)
	c := open(t, s.url)
	c.prompt("t1")
	c.until("tool_confirmation_request")
	require.NoError(t, c.Close(context.Background()))
	require.Equal(t, "cancel", (<-s.decisions).Action)
	require.Equal(t, "r1", <-s.cancelled)
}

func TestAnAbandonedRunIsCancelledBeforeTheNextPrompt(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.say(began, textDelta("hello from RUN"))
		if r.id == "r1" {
			r.wait()
			return
		}
		r.say(finished)
	})
	c := open(t, s.url)
	c.prompt("t1")
	c.until("hello from r1")
	c.Abandon("t1")
	c.prompt("t2")
	got := c.untilEnd()
	require.Equal(t, 1, count(got, "hello from r2"))
	require.Equal(t, "r1", <-s.cancelled)
}

func TestAnswersHaveTheRequestedShape(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.say(began, `{"event_type":"tool_call_done","id":"q1","result":{"tool_name":"choose","status":"pending","suspension":{"suspension":{"id":"s1",`+
			`"action":"tool:choose","message":"Which one?","response_schema":{"type":"object","properties":{"pick":{"enum":["left","right"]}}}},`+
			`"pending":{"id":"s1","name":"choose","arguments":{}},"resume_mode":"use_decision_as_tool_result"}},"outcome":"suspended"}`, paused)
		d, _ := r.wait()
		r.say(began, resumes("q1", string(d.Payload)), finished)
	})
	c := open(t, s.url)
	c.prompt("t1")
	got := c.until(`"type":"question"`)
	require.Contains(t, got[len(got)-1], `"question":"Which one?","options":["left","right"]`)
	c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "s1", Answer: "right"})
	d := <-s.decisions
	require.Equal(t, "resume", d.Action)
	require.JSONEq(t, `{"pick":"right"}`, string(d.Payload))
	got = c.untilEnd()
	require.Equal(t, 1, count(got, `"type":"question_answered","questionId":"s1","answer":"right"`), "%q", got)
}

func TestOlderServersGetDecisionsAsInputs(t *testing.T) {
	older := func(kind, data string) string {
		return `{"type":"` + kind + `","run_id":"RUN","thread_id":"th","seq":1,"timestamp_ms":2,"data":` + data + `}`
	}
	s := stand(t, func(r *standRun) {
		r.say(older("run_start", "{}"), older("tool_call_ready", `{"id":"c1","name":"deploy","arguments":{"to":"c1"}}`),
			older("tool_call_ready", `{"id":"fc_c1","name":"PermissionConfirm","arguments":{"tool_name":"deploy","tool_args":{"to":"c1"}}}`))
		d, ok := r.wait()
		if !ok {
			return
		}
		r.say(older("tool_call_resumed", `{"target_id":"`+d.Target+`","result":`+string(d.Payload)+`}`),
			older("tool_call_done", `{"id":"c1","message_id":"m1","outcome":"succeeded","result":{"tool_name":"deploy","status":"success","data":"up","message":null}}`),
			older("run_finish", `{"termination":{"type":"natural_end"}}`))
	})
	s.older = true
	c := open(t, s.url)
	c.prompt("t1")
	got := c.until("tool_confirmation_request")
	require.Contains(t, got[len(got)-1], `"toolCallId":"c1"`)
	c.decide("c1", agent.AllowOnce)
	d := <-s.decisions
	require.Equal(t, "fc_c1", d.Target)
	require.Equal(t, "resume", d.Action)
	require.JSONEq(t, `{"approved":true}`, string(d.Payload))
	got = c.untilEnd()
	require.Equal(t, 1, count(got, `"result":"up"`), "%q", got)
	require.Equal(t, `{"type":"done","text":""}`, got[len(got)-1])
}

func TestOlderServersRestartSuspendedRunsWithDecisions(t *testing.T) {
	for name, early := range map[string]bool{"once the run is suspended": false, "refused before": true} {
		t.Run(name, func(t *testing.T) {
			tried := make(chan struct{})
			s := stand(t, func(r *standRun) {
				if r.id == "r1" {
					r.say(`{"type":"run_start","run_id":"RUN","thread_id":"th"}`,
						`{"type":"tool_call_ready","data":{"id":"fc_x","name":"PermissionConfirm","arguments":{"tool_name":"deploy"}}}`)
					if early {
						<-tried
					}
					r.say(`{"type":"run_finish","run_id":"RUN","thread_id":"th","data":{"termination":{"type":"suspended"}}}`)
					return
				}
				r.say(`{"type":"run_start","run_id":"RUN","thread_id":"th"}`, `{"type":"text_delta","data":{"delta":"after all"}}`,
					`{"type":"run_finish","run_id":"RUN","thread_id":"th","data":{"termination":{"type":"natural_end"}}}`)
			})
			s.older, s.passive = true, true
			c := open(t, s.url)
			c.prompt("t1")
			c.until("tool_confirmation_request")
			c.decide("fc_x", agent.AllowOnce)
			if early {
				require.Equal(t, "refused", (<-s.decisions).Action)
				close(tried)
			}
			got := c.untilEnd()
			require.Equal(t, 1, count(got, "after all"), "%q", got)
			require.Equal(t, "resume", s.bodies()[1]["decisions"].([]any)[0].(map[string]any)["action"])
		})
	}
}
