package agui_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
)

func TestAnInputHasAllMembers(t *testing.T) {
	h := newHost(t, run(finished), run(finished))
	h.open(agent.Options{}).answered("hi")
	input := h.input()
	require.IsType(t, "", input["runId"])
	delete(input, "runId")
	delete(input["messages"].([]any)[0].(map[string]any), "id")
	require.Equal(t, map[string]any{
		"threadId": "s", "protocolVersion": "1.0", "state": map[string]any{}, "tools": []any{}, "context": []any{},
		"forwardedProps": map[string]any{}, "messages": []any{map[string]any{"role": "user", "content": "hi"}},
	}, input)

	c := agui.Config{Context: []thread.Context{{Description: "place", Value: "Oslo"}}, ForwardedProps: []byte(`[1]`)}
	open(t, c, h.URL, agent.Options{}).answered("hi")
	input = h.input()
	require.Equal(t, []any{map[string]any{"description": "place", "value": "Oslo"}}, input["context"])
	require.Equal(t, []any{1.0}, input["forwardedProps"])
}

func TestImagesBecomeParts(t *testing.T) {
	h := newHost(t, run(finished))
	s := h.open(agent.Options{})
	s.Send(agent.Prompt{SessionID: "s", TurnID: "t", Text: "look", Blocks: []agent.Content{
		{Type: "text", Text: "look"}, {Type: "image", Data: "AAAA", MIMEType: "image/png"},
	}})
	s.UntilEnd()
	require.JSONEq(t, `[{"role":"user","content":[{"type":"text","text":"look"},
		{"type":"image","source":{"type":"data","value":"AAAA","mimeType":"image/png"}}]}]`, h.messages())
}

const history = `[{"role":"user","content":"fly"},
	{"role":"assistant","content":"Off!","toolCalls":[{"id":"c1","type":"function","function":{"name":"launch","arguments":"{\"to\":\"moon\"}"}}]},
	{"role":"tool","toolCallId":"c1","content":"landed"},
	{"role":"assistant","content":"Done."},
	{"role":"user","content":"again"}]`

func TestTheNextInputHasTheWholeConversation(t *testing.T) {
	h := newHost(t,
		run(textEvents("m1", "Off!"), called("c1"), result("c1", "landed"), textEvents("m2", "Done."),
			`{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}`, `{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/n","value":2}]}`, finished),
		run(finished), run(finished), run(finished),
	)
	s := h.open(agent.Options{})
	s.answered("fly")
	h.input()
	s.answered("again")
	require.JSONEq(t, history, h.messages())
	saved := s.state

	t.Run("after a restart", func(t *testing.T) {
		h := newHost(t, run(finished))
		h.open(recalling(saved, "")).answered("more")
		input := h.input()
		require.Equal(t, map[string]any{"n": 2.0}, input["state"])
		require.Len(t, input["messages"], 6)
		require.Equal(t, "m2", input["messages"].([]any)[3].(map[string]any)["id"])
	})
}

func TestASessionWithoutStateContinuesWithItsTexts(t *testing.T) {
	h := newHost(t, run(finished))
	memory := agent.Memory{Prompted: true, History: []agent.Message{{Role: agent.RoleUser, Text: "fly"}, {Role: agent.RoleAgent, Text: "Off!"}}}
	h.open(agent.Options{Recall: func() agent.Memory { return memory }}).answered("again")
	require.JSONEq(t, `[{"role":"user","content":"fly"},{"role":"assistant","content":"Off!"},{"role":"user","content":"again"}]`, h.messages())
}

func TestACancelledRunLeavesNoOpenCall(t *testing.T) {
	h := newHost(t, func(w http.ResponseWriter, r *http.Request) {
		send(w, started, textEvents("m1", "Off!"), called("c1"), `{"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"launch"}`)
		<-r.Context().Done()
	}, run(finished))
	s := h.open(agent.Options{})
	s.prompt("fly")
	s.Until(func(e agent.Event) bool { p, ok := e.(*agent.ToolPending); return ok && p.ToolCallID == "c2" })
	s.Stop()
	lines := s.UntilEnd()
	require.Equal(t, `{"type":"done","text":"","stopReason":"cancelled"}`, lines[len(lines)-1])
	h.input()
	s.answered("again")
	require.JSONEq(t, `[{"role":"user","content":"fly"},
		{"role":"assistant","content":"Off!","toolCalls":[{"id":"c1","type":"function","function":{"name":"launch","arguments":"{\"to\":\"moon\"}"}}]},
		{"role":"tool","toolCallId":"c1","content":"The call was cancelled, or its result was not reported."},
		{"role":"user","content":"again"}]`, h.messages())
}

func TestAnAnswerInASnapshotIsShown(t *testing.T) {
	h := newHost(t, run(called("c1"), textEvents("m1", "Streamed."),
		`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m0","role":"assistant","content":"","toolCalls":[{"id":"c1","type":"function","function":{"name":"launch","arguments":"{}"}}]},`+
			`{"id":"m-c1","role":"tool","toolCallId":"c1","content":"landed"},`+
			`{"id":"x","role":"assistant","content":"Streamed."},{"id":"m2","role":"assistant","content":"Not streamed."}]}`, finished))
	lines := h.open(agent.Options{}).answered("fly")
	require.Subset(t, lines, []string{
		`{"type":"tool_end","toolCallId":"c1","ok":true,"result":"landed"}`,
		`{"type":"text_delta","text":"Streamed.","messageId":"m1"}`,
		`{"type":"text_delta","text":"Not streamed.","messageId":"m2"}`,
	})
	require.NotContains(t, lines, `{"type":"text_delta","text":"Streamed.","messageId":"x"}`)
}

func TestAnOlderServerGetsNoVersion(t *testing.T) {
	h := newHost(t, refuse(http.StatusUnprocessableEntity, "application/json", `{"detail":[{"loc":["body","protocolVersion"],"msg":"Extra inputs are not permitted"}]}`), run(finished), run(finished))
	s := h.open(agent.Options{})
	s.answered("hi")
	require.Contains(t, h.input(), "protocolVersion")
	require.NotContains(t, h.input(), "protocolVersion")
	s.answered("hi")
	require.NotContains(t, h.input(), "protocolVersion")
}

func TestACallLeftToTheClientIsSaidToHaveNoResult(t *testing.T) {
	h := newHost(t, run(called("c1"), called("c2"), result("c2", "landed"), finished))
	lines := h.open(agent.Options{}).answered("fly")
	require.Equal(t, `{"type":"tool_end","toolCallId":"c1","ok":false,"error":"no result: the server leaves this call to its client, or reports no results"}`, lines[len(lines)-2])
}

func TestAPromptThatNeverArrivedIsNotRepeated(t *testing.T) {
	h := newHost(t, run(textEvents("m1", "Hi."), finished), refuse(http.StatusServiceUnavailable, "text/plain", ""), run(finished))
	s := h.open(agent.Options{})
	s.answered("one")
	s.failure()
	s.answered("two")
	h.input()
	h.input()
	require.JSONEq(t, `[{"role":"user","content":"one"},{"role":"assistant","content":"Hi."},{"role":"user","content":"two"}]`, h.messages())
}
