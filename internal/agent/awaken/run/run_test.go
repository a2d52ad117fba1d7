package run_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken/run"
	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

const (
	began     = `{"event_type":"run_start","thread_id":"t/1","run_id":"r/1"}`
	suspended = `{"event_type":"run_finish","thread_id":"t/1","run_id":"r/1","termination":{"type":"suspended"}}`
	olderRun  = `{"type":"run_start","run_id":"r1","thread_id":"t1"}`
	olderAsks = `{"type":"tool_call_ready","data":{"id":"fc_c1","name":"PermissionConfirm","arguments":{"tool_name":"deploy"}}}`
	olderWait = `{"type":"run_finish","run_id":"r1","data":{"termination":{"type":"suspended"}}}`
)

// waits returns the suspension of the call c1 by a permission, or by a question with a schema.
func waits(id, action, schema string) string {
	return `{"event_type":"tool_call_done","id":"c1","result":{"tool_name":"deploy","status":"pending","suspension":{"suspension":{"id":"` + id +
		`","action":"` + action + `","response_schema":` + schema + `},"pending":{},"resume_mode":"use_decision_as_tool_result"}},"outcome":"suspended"}`
}

func permission(id string) string { return waits(id, "tool:PermissionConfirm", "null") }

// play returns a run after events, and the function that decodes more.
func play(t *testing.T, lines ...string) (*run.Run, func(lines ...string) []string) {
	t.Helper()
	r := run.New("")
	d := wire.NewDecoder(r.State)
	decode := func(lines ...string) (types []string) {
		for _, line := range lines {
			require.NoError(t, d.Decode([]byte(line), func(e agent.Event) bool {
				types = append(types, e.Type())
				return true
			}))
		}
		return types
	}
	decode(lines...)
	return r, decode
}

// bodies returns a function that collects the bodies of decisions.
func bodies(t *testing.T, r *run.Run, into *[]string) requests.Send {
	return func(_ context.Context, a requests.Answer) error {
		d, ok := r.Decision(a)
		require.True(t, ok)
		body := d.Body()
		if r.Now().Older {
			body = d.OlderBody("id", 7)
		}
		text, err := json.Marshal(body)
		*into = append(*into, string(text))
		return err
	}
}

const (
	allowed = `{"action":"resume","payload":{"approved":true,"kind":"permission_decision","policy":"allow_once"},"toolCallId":"c1"}`
	refused = `{"action":"cancel","payload":{"approved":false,"kind":"permission_decision","policy":"reject_once"},"toolCallId":"c1"}`
)

func TestDecisionsWaitUntilTheRunIsFollowed(t *testing.T) {
	for want, decision := range map[string]agent.Decision{allowed: agent.AllowAlways, refused: agent.RejectOnce} {
		r, _ := play(t, began, permission("p1"), suspended)
		var sent []string
		require.NoError(t, r.Requests.Confirm(t.Context(), agent.ConfirmationResponse{ConfirmationID: "p1", Decision: decision}, bodies(t, r, &sent)))
		require.Empty(t, sent)
		require.NoError(t, r.Requests.Release(t.Context(), bodies(t, r, &sent)))
		require.Equal(t, []string{want}, sent)
	}
}

func TestTwoSuspensionsOfACallAreToldApart(t *testing.T) {
	r, _ := play(t, began, permission("p1"), permission("p2"), suspended)
	var sent []string
	require.NoError(t, r.Requests.RefuseAll(t.Context(), bodies(t, r, &sent)))
	require.Contains(t, sent[0], `"toolCallId":"p1"`)
	require.Contains(t, sent[1], `"toolCallId":"p2"`)
}

func TestAnAnswerThatIsInvalidCancelsTheCall(t *testing.T) {
	for answer, want := range map[string]string{
		"y":  `{"action":"resume","payload":"y","toolCallId":"c1"}`,
		"no": `{"action":"cancel","payload":null,"toolCallId":"c1"}`,
	} {
		r, _ := play(t, began, waits("q1", "tool:ask", `{"enum":["x","y"]}`), suspended)
		var sent []string
		r.Requests.Defer(false)
		err := r.Answer(t.Context(), agent.QuestionResponse{QuestionID: "q1", Answer: answer}, bodies(t, r, &sent))
		require.Equal(t, answer == "no", err != nil)
		require.Equal(t, []string{want}, sent)
	}
}

func TestAnOlderRunTakesDecisionsWhileItWorks(t *testing.T) {
	r, _ := play(t, olderRun, olderAsks)
	var sent []string
	require.NoError(t, r.Requests.Confirm(t.Context(), agent.ConfirmationResponse{ConfirmationID: "fc_c1", Decision: agent.AllowOnce}, bodies(t, r, &sent)))
	require.Equal(t, []string{`{"action":"resume","decision_id":"id","result":{"approved":true},"target_id":"fc_c1","updated_at":7}`}, sent)

	r, _ = play(t, olderRun, olderAsks, olderWait)
	require.NoError(t, r.Requests.Confirm(t.Context(), agent.ConfirmationResponse{ConfirmationID: "fc_c1", Decision: agent.AllowOnce}, bodies(t, r, &sent)))
	require.Len(t, sent, 1, "it starts the next run")
	list, err := r.Requests.Await(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestARunIsCancelledOnceItHasAName(t *testing.T) {
	r, decode := play(t)
	require.Empty(t, r.Cancel(false))
	require.Empty(t, r.Cancel(true), "not even the thread has one")
	require.False(t, r.CancelDue())
	decode(began)
	require.True(t, r.CancelDue())
	require.Equal(t, "/v1/runs/r%2F1/cancel", r.Cancel(false))
	require.Empty(t, r.Cancel(true))
	require.False(t, r.CancelDue())

	r = run.New("t/1")
	require.Empty(t, r.Cancel(false))
	require.Equal(t, "/v1/threads/t%2F1/cancel", r.Cancel(true))
}

func TestARequestThatTheRunDropsIsNotAnswered(t *testing.T) {
	r, decode := play(t, began, permission("p1"), suspended)
	decode(began, `{"event_type":"tool_call_resumed","target_id":"c1","result":{"approved":false}}`)
	var sent []string
	require.NoError(t, r.Requests.RefuseAll(t.Context(), bodies(t, r, &sent)))
	require.Empty(t, sent)
	_, ok := r.Decision(requests.Answer{Request: requests.Request{ID: "p1"}})
	require.False(t, ok)
}

func TestARecordTellsOnlyWhatTheEventsDidNot(t *testing.T) {
	const (
		waiting = `{"status":"waiting","waiting":{"tickets":[{"ticket_id":"p1","tool_call_id":"c1","tool_name":"deploy","reason":"tool:PermissionConfirm"}]}}`
		done    = `{"status":"done"}`
		thread  = `[{"id":"m1","role":"assistant","content":[{"type":"text","text":"One, two."}],"tool_calls":[{"id":"c1","name":"deploy"}]},` +
			`{"id":"m2","role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"up"}]}]`
	)
	for name, c := range map[string]struct {
		record, thread string
		news           bool
		want           []string
	}{
		"nothing":         {`{"status":"running"}`, `[]`, false, nil},
		"the end":         {done, `[]`, true, []string{"done"}},
		"text and a call": {done, thread, true, []string{"text_delta", "tool_ready", "tool_end", "done"}},
		"a suspension":    {waiting, `[]`, true, []string{"tool_confirmation_request"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, decode := play(t, began, `{"event_type":"text_delta","delta":"One, "}`)
			rec := new(run.Record)
			require.NoError(t, json.Unmarshal([]byte(c.record), rec))
			var list []run.Message
			require.NoError(t, json.Unmarshal([]byte(c.thread), &list))
			require.Equal(t, c.news, r.IsNews(rec))
			var got []string
			for line := range r.Tell(rec, list) {
				for _, kind := range decode(string(line)) {
					if kind != "telemetry" {
						got = append(got, kind)
					}
				}
			}
			require.Equal(t, c.want, got)
			require.False(t, r.IsNews(rec))
			for line := range r.Tell(rec, list) {
				require.Fail(t, "it is told twice", "%s", line)
			}
		})
	}
}
