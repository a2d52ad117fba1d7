package awaken_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

const (
	isWaiting = `{"status":"waiting","waiting":{"tickets":[{"ticket_id":"perm_c1","tool_call_id":"c1","tool_name":"deploy",` +
		`"arguments":{"to":"c1"},"reason":"tool:PermissionConfirm","resume_mode":"replay_tool_call"}]}}`
	isDone      = `{"status":"done","termination_reason":{"type":"natural_end"}}`
	wantsDeploy = `{"id":"m1","role":"assistant","content":[{"type":"text","text":"I will."}],"tool_calls":[{"id":"c1","name":"deploy","arguments":{"to":"c1"}}]}`
	waitsForYou = `{"id":"m2","role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"Tool 'deploy' suspended: awaiting decision"}]}`
	deployed    = `{"id":"m3","role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"{\"to\":\"c1\"}"}]}`
	isDeployed  = `{"id":"m4","role":"assistant","content":[{"type":"text","text":"It is "},{"type":"image"},{"type":"text","text":"deployed."}]}`
)

// deploys asks, and sends no events after the decision.
func deploys(r *standRun) {
	r.is(isWaiting, wantsDeploy, waitsForYou)
	r.say(began, textDelta("I will."), ready("c1"), suspends("c1"), paused)
	d, ok := r.wait()
	switch {
	case !ok:
		r.is(`{"status":"done","termination_reason":{"type":"cancelled"}}`)
	case d.Action == "resume":
		r.is(isDone, deployed, isDeployed)
	default:
		r.is(isDone, `{"id":"m5","role":"assistant","content":[{"type":"text","text":"I did not."}]}`)
	}
	r.say(textDelta("nobody keeps this"), finished)
}

// without drops lines that no reader sees.
func without(lines []string, parts ...string) (rest []string) {
	for _, line := range lines {
		leave := false
		for _, part := range parts {
			leave = leave || strings.Contains(line, part)
		}
		if !leave {
			rest = append(rest, line)
		}
	}
	return rest
}

// Awaken's own example server stores no events, and a store that does may not
// record the end of each run.
func TestEventsAfterADecisionComeFromTheRunsRecord(t *testing.T) {
	for name, set := range map[string]func(s *standIn){
		"no event store":                func(s *standIn) { s.unwired = true },
		"a store that keeps no text":    func(s *standIn) { s.forgets = "nobody keeps this" },
		"a store whose streams are cut": func(s *standIn) { s.drops, s.forgets = 1, "nobody keeps this" },
	} {
		t.Run(name, func(t *testing.T) {
			for decision, want := range map[agent.Decision][]string{
				agent.AllowOnce: {
					`{"type":"tool_end","toolCallId":"c1","toolName":"deploy","ok":true,"result":"c1","structured":{"to":"c1"},"outcome":"succeeded"}`,
					`{"type":"text_delta","text":"It is deployed."}`,
					`{"type":"done","text":""}`,
				},
				agent.RejectOnce: {
					`{"type":"tool_end","toolCallId":"c1","toolName":"deploy","ok":false,"cancelled":true,"error":"it was refused"}`,
					`{"type":"text_delta","text":"I did not."}`,
					`{"type":"done","text":""}`,
				},
			} {
				s := stand(t, deploys)
				set(s)
				c := open(t, s.url)
				c.prompt("t1")
				c.until(`"confirmationId":"perm_c1"`)
				c.confirm("perm_c1", decision)
				require.Equal(t, want, without(c.untilEnd(), `"type":"telemetry"`), decision)
			}
		})
	}
}

func TestACancelWithoutEventsEndsTheTurn(t *testing.T) {
	s := stand(t, deploys)
	s.unwired = true
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_c1"`)
	c.Stop()
	c.untilEnd()
	require.Equal(t, []string{"cancel c1"}, s.received())
	require.Equal(t, "r1", <-s.cancelled)
}

// If a connection breaks in the middle of an answer, nothing is lost.
func TestAfterABrokenStreamARunContinuesFromItsThread(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.is(isDone,
			`{"id":"m1","role":"assistant","content":[{"type":"text","text":"One, two, three."}],"tool_calls":[{"id":"c1","name":"count","arguments":{}}]}`,
			`{"id":"m2","role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"Execution failed: no numbers left"}]}`,
			`{"id":"m3","role":"assistant","content":[{"type":"text","text":"Done."}]}`)
		r.say(began, textDelta("One, "), textDelta("two, "), finished)
	})
	s.unwired, s.breaks = true, 3
	c := open(t, s.url)
	c.prompt("t1")
	require.Equal(t, []string{
		`{"type":"text_delta","text":"One, "}`,
		`{"type":"text_delta","text":"two, "}`,
		`{"type":"text_delta","text":"three."}`,
		`{"type":"tool_ready","toolCallId":"c1","toolName":"count","args":{}}`,
		`{"type":"tool_end","toolCallId":"c1","toolName":"count","ok":false,"error":"Execution failed: no numbers left","outcome":"failed"}`,
		`{"type":"text_delta","text":"Done."}`,
		`{"type":"done","text":""}`,
	}, without(c.untilEnd(), `"type":"telemetry"`, `"type":"run_start"`, `"type":"state"`))
}

// A restarted server has the record of the run, but does not run it.
func TestLostRunsAreReported(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.is(`{"status":"created"}`)
		r.say(began, textDelta("One, "))
		r.wait()
	})
	s.unwired, s.breaks = true, 1
	c := openAgent(t, awaken.NewImpatient(awaken.Config{Remote: httpsse.Config{BaseURL: s.url}, AgentID: "helper"}))
	c.prompt("t1")
	got := c.until("nothing has arrived since")
	require.Contains(t, got[len(got)-1], `"type":"notice"`)
	c.Stop()
	c.untilEnd()
	require.Equal(t, "r1", <-s.cancelled)
}

func TestLaterSuspensionsAreAskedWithoutEvents(t *testing.T) {
	s := stand(t, func(r *standRun) {
		r.is(isWaiting, wantsDeploy, waitsForYou)
		r.say(began, ready("c1"), suspends("c1"), paused)
		if _, ok := r.wait(); !ok {
			return
		}
		r.is(`{"status":"waiting","waiting":{"tickets":[{"ticket_id":"q2","tool_call_id":"c2","tool_name":"ask","arguments":{"question":"Where?"},`+
			`"reason":"tool:ask","resume_mode":"use_decision_as_tool_result"}]}}`,
			deployed, `{"id":"m6","role":"assistant","content":[],"tool_calls":[{"id":"c2","name":"ask","arguments":{"question":"Where?"}}]}`)
		if _, ok := r.wait(); !ok {
			return
		}
		r.is(isDone, `{"id":"m7","role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"\"here\""}]}`)
	})
	s.unwired = true
	c := open(t, s.url)
	c.prompt("t1")
	c.until(`"confirmationId":"perm_c1"`)
	c.confirm("perm_c1", agent.AllowOnce)
	asked := c.until(`"type":"question"`)
	require.Contains(t, asked[len(asked)-1], `"question":"Where?"`)
	c.Answer(agent.QuestionResponse{TurnID: c.Turn, QuestionID: "q2", Answer: "here"})
	c.untilEnd()
	require.Equal(t, []string{"resume c1", "resume c2"}, s.received())
}
