package agui_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// resumed returns the resume entries of the next input, after the first one.
func (h *host) resumed() any {
	h.input()
	return h.input()["resume"]
}

func entry(id, status string, payload any) map[string]any {
	e := map[string]any{"interruptId": id, "status": status}
	if payload != nil {
		e["payload"] = payload
	}
	return e
}

func TestAnApprovalIsAPermission(t *testing.T) {
	for decision, want := range map[agent.Decision]map[string]any{
		agent.AllowOnce:  entry("i1", "resolved", map[string]any{"approved": true}),
		agent.RejectOnce: entry("i1", "resolved", map[string]any{"approved": false}),
		agent.NotDecided: entry("i1", "cancelled", nil),
	} {
		h := newHost(t, run(called("c1"), interrupted(approval("i1", "c1"))), run(result("c1", "landed"), textEvents("m2", "Done."), finished))
		s := h.open(agent.Options{})
		s.prompt("fly")
		var asked *agent.ConfirmationRequested
		s.Until(func(e agent.Event) bool {
			c, ok := e.(*agent.ConfirmationRequested)
			if ok {
				asked = c
			}
			return ok
		})
		require.Equal(t, "c1", asked.ToolCallID)
		require.Equal(t, "launch", asked.ToolName)
		require.Equal(t, "Launch?", asked.Reason)
		s.Decide(asked.ConfirmationID, "c1", decision)
		s.UntilEnd()
		require.Equal(t, []any{want}, h.resumed())
	}
}

func TestAllInterruptsAreAnsweredAtOnce(t *testing.T) {
	h := newHost(t, run(called("c1"), called("c2"), interrupted(approval("i1", "c1"), approval("i2", "c2"),
		`{"id":"i3","reason":"input_required","message":"Who?"}`)), run(finished))
	s := h.open(agent.Options{})
	s.prompt("fly")
	ids := s.awaitRequests(3)
	s.Decide(ids[1], "c2", agent.RejectOnce)
	s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: ids[2], Answer: "Ada"})
	s.Decide(ids[0], "c1", agent.AllowOnce)
	s.UntilEnd()
	require.Equal(t, []any{
		entry("i1", "resolved", map[string]any{"approved": true}), entry("i2", "resolved", map[string]any{"approved": false}),
		entry("i3", "resolved", "Ada"),
	}, h.resumed())
}

func TestASchemaIsAForm(t *testing.T) {
	h := newHost(t, run(interrupted(`{"id":"i1","reason":"input_required","message":"Trip?","responseSchema":{"type":"object","properties":{
		"city":{"type":"string","title":"City"},"days":{"type":"integer","minimum":1},"level":{"enum":[1,2]},"tags":{"type":"array","items":{"type":"string","enum":["a","b"]}},
		"note":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null},"extra":{"type":"object"}},"required":["city"]}}`)), run(finished))
	s := h.open(agent.Options{})
	s.prompt("plan")
	var form string
	var id string
	s.Until(func(e agent.Event) bool {
		q, ok := e.(*agent.QuestionAsked)
		if ok {
			id, form = q.QuestionID, string(agent.AppendJSON(nil, q))
		}
		return ok
	})
	require.JSONEq(t, `{"type":"question","questionId":"`+id+`","question":"Trip?","turnId":"t","fields":[
		{"name":"city","type":"string","title":"City","required":true},{"name":"days","type":"integer","minimum":1},
		{"name":"level","type":"choice","options":[{"value":"1"},{"value":"2"}]},
		{"name":"tags","type":"choices","options":[{"value":"a"},{"value":"b"}]},
		{"name":"note","type":"string"},{"name":"extra","type":"string","description":"JSON: an object"}]}`, form)
	s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: id, Values: map[string]agent.Raw{
		"city": agent.Raw(`"Oslo"`), "days": agent.Raw(`3`), "level": agent.Raw(`"2"`), "tags": agent.Raw(`["a"]`), "extra": agent.Raw(`"{\"k\":1}"`),
	}})
	s.UntilEnd()
	require.Equal(t, []any{entry("i1", "resolved", map[string]any{
		"city": "Oslo", "days": 3.0, "level": 2.0, "tags": []any{"a"}, "extra": map[string]any{"k": 1.0},
	})}, h.resumed())
}

func TestASimpleSchemaIsAFormOfOneField(t *testing.T) {
	h := newHost(t, run(interrupted(`{"id":"i1","reason":"r","message":"Sure?","responseSchema":{"type":"boolean"}}`)), run(finished))
	s := h.open(agent.Options{})
	s.prompt("plan")
	s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: s.awaitRequests(1)[0], Values: map[string]agent.Raw{"answer": agent.Raw(`true`)}})
	s.UntilEnd()
	require.Equal(t, []any{entry("i1", "resolved", true)}, h.resumed())
}

func TestACancelResolvesItsInterruptsLater(t *testing.T) {
	h := newHost(t, run(called("c1"), interrupted(approval("i1", "c1"))))
	s := h.open(agent.Options{})
	s.prompt("fly")
	id := s.awaitRequests(1)[0]
	s.Stop()
	s.Decide(id, "c1", agent.AllowOnce) // too late
	s.UntilEnd()
	h.input()
	saved := s.state

	next := func(s *conversation, h *host) {
		h.runs <- run(result("c1", "cancelled"), textEvents("m2", "Fine."), finished)
		h.runs <- run(textEvents("m3", "Hello."), finished)
		lines := s.answered("hi")
		require.Contains(t, lines, `{"type":"text_delta","text":"Fine.","messageId":"m2"}`)
		require.Contains(t, lines, `{"type":"text_delta","text":"Hello.","messageId":"m3"}`)
		first := h.input()
		require.Equal(t, []any{entry("i1", "cancelled", nil)}, first["resume"])
		require.Len(t, first["messages"], 2)
		require.JSONEq(t, `[{"role":"user","content":"fly"},
			{"role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"launch","arguments":"{\"to\":\"moon\"}"}}]},
			{"role":"tool","toolCallId":"c1","content":"cancelled"},{"role":"assistant","content":"Fine."},{"role":"user","content":"hi"}]`, h.messages())
	}
	next(s, h)
	other := newHost(t)
	next(other.open(recalling(saved, "")), other)
	require.NotContains(t, string(s.state), "i1")

	t.Run("but not those of the original of a copy", func(t *testing.T) {
		h := newHost(t, run(finished))
		h.open(recalling(saved, "original")).answered("hi")
		require.NotContains(t, h.input(), "resume")
	})
	t.Run("also if the server does not know them any more", func(t *testing.T) {
		for _, forgot := range []http.HandlerFunc{run(`{"type":"RUN_ERROR","message":"no such interrupt"}`), refuse(http.StatusConflict, "text/plain", "no such interrupt")} {
			h := newHost(t, forgot, run(finished))
			h.open(recalling(saved, "")).answered("hi")
			require.Contains(t, h.input(), "resume")
			require.NotContains(t, h.input(), "resume")
		}
	})
}

func TestAnExpiredInterruptIsCancelled(t *testing.T) {
	past := time.Now().Add(-time.Hour).Format(time.RFC3339)
	h := newHost(t, run(interrupted(`{"id":"i1","reason":"r","message":"Now?","expiresAt":"`+past+`"}`, `{"id":"i2","reason":"r","message":"Later?"}`)), run(finished))
	s := h.open(agent.Options{})
	s.prompt("plan")
	ids := s.awaitRequests(2)
	lines := s.Until(func(e agent.Event) bool { return e.Type() == "notice" })
	require.Contains(t, lines, `{"type":"question_answered","questionId":"`+ids[0]+`","cancelled":true}`)
	s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: ids[1], Answer: "yes"})
	s.UntilEnd()
	require.Equal(t, []any{entry("i1", "cancelled", nil), entry("i2", "resolved", "yes")}, h.resumed())
}

func TestLangGraphsOwnInterruptEventIsAnswered(t *testing.T) {
	event := func(id, value string) string {
		return `{"type":"CUSTOM","name":"on_interrupt","value":` + value + `,"rawEvent":{"id":"` + id + `"}}`
	}
	answer := func(h *host, n int) map[string]any {
		s := h.open(agent.Options{})
		s.prompt("plan")
		for _, id := range s.awaitRequests(n) {
			s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: id, Answer: "yes"})
		}
		s.UntilEnd()
		h.input()
		return h.input()
	}
	input := answer(newHost(t, run(event("i1", `"Sure?"`), finished), run(finished)), 1)
	require.Equal(t, map[string]any{"command": map[string]any{"resume": "yes"}}, input["forwardedProps"])
	require.NotContains(t, input, "resume")
	input = answer(newHost(t, run(event("i1", `"Sure?"`), event("i2", `"{\"question\":\"Really?\"}"`), finished), run(finished)), 2)
	require.Equal(t, map[string]any{"command": map[string]any{"resume": map[string]any{"i1": "yes", "i2": "yes"}}}, input["forwardedProps"])

	h := newHost(t, run(event("i1", `"Sure?"`), finished), run(finished))
	s := h.open(agent.Options{})
	s.prompt("plan")
	s.Answer(agent.QuestionResponse{TurnID: "t", QuestionID: s.awaitRequests(1)[0], Cancelled: true})
	s.UntilEnd()
	require.Equal(t, []any{entry("i1", "cancelled", nil)}, h.resumed())
}

func TestLangChainsReviewsArePermissions(t *testing.T) {
	value := `{"action_requests":[{"name":"launch","args":{"to":"moon"}},{"name":"launch","args":{"to":"mars"}}],"review_configs":[]}`
	h := newHost(t, run(called("c1"), called("c2"), `{"type":"CUSTOM","name":"on_interrupt","value":`+value+`}`, finished),
		run(called("c1"), result("c1", "landed"), finished))
	s := h.open(agent.Options{})
	s.prompt("fly")
	ids := s.awaitRequests(2)
	s.Decide(ids[0], "c1", agent.AllowOnce)
	s.Decide(ids[1], "c2", agent.RejectOnce)
	require.Equal(t, []string{
		`{"type":"run_start","traceId":"r"}`, `{"type":"tool_end","toolCallId":"c1","ok":true,"result":"landed"}`,
		`{"type":"tool_end","toolCallId":"c2","ok":false,"cancelled":true}`, `{"type":"done","text":""}`,
	}, s.UntilEnd())
	h.input()
	require.Equal(t, map[string]any{"command": map[string]any{"resume": map[string]any{
		"decisions": []any{map[string]any{"type": "approve"}, map[string]any{"type": "reject"}},
	}}}, h.input()["forwardedProps"])
}

func TestMastrasSuspensionIsAPermission(t *testing.T) {
	value := `"{\"type\":\"mastra_suspend\",\"toolCallId\":\"c1\",\"toolName\":\"launch\",\"suspendPayload\":{\"message\":\"Launch?\"},\"args\":{},` +
		`\"resumeSchema\":\"{\\\"type\\\":\\\"object\\\",\\\"properties\\\":{\\\"approved\\\":{\\\"type\\\":\\\"boolean\\\"}}}\",\"runId\":\"r9\"}"`
	h := newHost(t, run(called("c1"), `{"type":"CUSTOM","name":"on_interrupt","value":`+value+`}`, finished), run(result("c1", "landed"), finished))
	s := h.open(agent.Options{})
	s.prompt("fly")
	s.Decide(s.awaitRequests(1)[0], "c1", agent.AllowOnce)
	s.UntilEnd()
	require.Equal(t, []any{entry("r9::c1", "resolved", map[string]any{"approved": true})}, h.resumed())
}

func TestARefusedCallsResultIsNoSuccess(t *testing.T) {
	snapshot := `{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"launch","arguments":"{}"}}]},` +
		`{"id":"b","role":"tool","toolCallId":"c1","content":"no"}]}`
	for _, second := range []string{result("c1", "no"), snapshot} {
		h := newHost(t, run(called("c1"), interrupted(approval("i1", "c1"))), run(second, finished))
		s := h.open(agent.Options{})
		s.prompt("fly")
		s.Decide(s.awaitRequests(1)[0], "c1", agent.RejectOnce)
		var ends []string
		s.UntilEnd(func(e agent.Event) {
			if e.Type() == "tool_end" {
				ends = append(ends, string(agent.AppendJSON(nil, e)))
			}
		})
		require.Equal(t, []string{`{"type":"tool_end","toolCallId":"c1","ok":false,"cancelled":true,"result":"no","turnId":"t"}`}, ends)
	}
}
