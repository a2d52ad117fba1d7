package aisdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/aisdk"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

const (
	user1 = `{"id":"t1","role":"user","parts":[{"type":"text","text":"hi"}]}`
	user2 = `{"id":"t2","role":"user","parts":[{"type":"text","text":"on"}]}`
)

func TestEachRequestHasTheWholeConversation(t *testing.T) {
	c := open(t, serve(t, say("<b>Hello</b>"), say("Again.")), agent.Memory{})
	c.prompt("hi")
	require.Equal(t, []string{"<b>Hello</b>", "done "}, c.end())
	c.prompt("on")
	require.Equal(t, []string{"Again.", "done "}, c.end())
	const answer = `{"id":"m1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"<b>Hello</b>","state":"done"}]}`
	require.JSONEq(t, "["+user1+"]", c.messages(t, 0))
	require.JSONEq(t, "["+user1+","+answer+","+user2+"]", c.messages(t, 1))
	require.Equal(t, "/api/chat", c.paths[0])
}

func TestEveryPartIsSentBack(t *testing.T) {
	c := open(t, serve(t, events(start, step,
		`{"type":"reasoning-start","id":"0"}`, `{"type":"reasoning-delta","id":"0","delta":"Hm"}`, `{"type":"reasoning-end","id":"0","providerMetadata":{"p":{"signature":"s"}}}`,
		`{"type":"source-url","sourceId":"s1","url":"https://example.com","title":"A page"}`,
		`{"type":"file","mediaType":"image/png","url":"https://example.com/a.png"}`,
		`{"type":"data-note","id":"n","data":1}`, `{"type":"data-note","id":"n","data":2}`, `{"type":"data-gone","data":1,"transient":true}`,
		`{"type":"tool-input-start","toolCallId":"c1","toolName":"x","dynamic":true}`,
		`{"type":"tool-input-available","toolCallId":"c1","toolName":"x","input":1,"dynamic":true,"providerExecuted":true,"providerMetadata":{"p":1}}`,
		`{"type":"tool-output-available","toolCallId":"c1","output":"half","preliminary":true}`,
		`{"type":"tool-output-available","toolCallId":"c1","output":"all"}`,
		`{"type":"tool-input-error","toolCallId":"c2","toolName":"x","input":"{","errorText":"bad"}`,
		call("c3"), `{"type":"tool-output-error","toolCallId":"c3","errorText":"broken"}`,
		call("c4"), `{"type":"tool-input-start","toolCallId":"c5","toolName":"x"}`,
		`{"type":"tool-output-available","toolCallId":"unknown","output":1}`,
		endStep, step, `{"type":"text-start","id":"0"}`, `{"type":"text-delta","id":"0","delta":"no"}`, `{"type":"reset-step"}`,
		`{"type":"text-delta","id":"other","delta":"no"}`, `{"type":"message-metadata","messageMetadata":{"a":1}}`, finish), say("x")), agent.Memory{})
	c.prompt("hi")
	c.end()
	c.prompt("on")
	c.end()
	const input = `"input":{"n":12345678901234567890}`
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","metadata":{"a":1},"parts":[{"type":"step-start"},
		{"type":"reasoning","text":"Hm","state":"done","providerMetadata":{"p":{"signature":"s"}}},
		{"type":"source-url","sourceId":"s1","url":"https://example.com","title":"A page"},
		{"type":"file","mediaType":"image/png","url":"https://example.com/a.png"},
		{"type":"data-note","id":"n","data":2},
		{"type":"dynamic-tool","toolName":"x","toolCallId":"c1","state":"output-available","input":1,"output":"all","providerExecuted":true,"callProviderMetadata":{"p":1}},
		{"type":"tool-x","toolCallId":"c2","state":"output-error","input":"{","errorText":"bad"},
		{"type":"tool-touch","toolCallId":"c3","state":"output-error",`+input+`,"errorText":"broken"},
		{"type":"tool-touch","toolCallId":"c4","state":"output-error",`+input+`,"errorText":"The call was interrupted."},
		{"type":"step-start"}]},`+user2+`]`, c.messages(t, 1))
	require.Contains(t, c.messages(t, 1), "12345678901234567890")
}

func TestHalvesOfACharacterAreJoined(t *testing.T) {
	c := open(t, serve(t, events(start, `{"type":"text-start","id":"0"}`, `{"type":"text-delta","id":"0","delta":"half \ud83d"}`,
		`{"type":"text-delta","id":"0","delta":"\ude42"}`, `{"type":"data-x","data":"lone \ud83d"}`, finish), say("x")), agent.Memory{})
	c.prompt("hi")
	c.end()
	c.prompt("on")
	c.end()
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","parts":[{"type":"text","text":"half 🙂","state":"done"},
		{"type":"data-x","data":"lone �"}]},`+user2+`]`, c.messages(t, 1))
	require.NotContains(t, c.messages(t, 1), `\ud83d"`)
}

func TestImagesAreDataURLs(t *testing.T) {
	c := open(t, serve(t, say("x")), agent.Memory{})
	c.Send(agent.Prompt{SessionID: "s1", TurnID: "t1", Text: "hi", Blocks: []agent.Content{{Type: "text", Text: "hi"}, {Type: "image", MIMEType: "image/png", Data: "aGk="}}})
	c.end()
	require.JSONEq(t, `[{"id":"t1","role":"user","parts":[{"type":"text","text":"hi"},{"type":"file","mediaType":"image/png","url":"data:image/png;base64,aGk="}]}]`, c.messages(t, 0))
}

func TestASessionContinuesWithItsState(t *testing.T) {
	c := open(t, serve(t, say("Hello")), agent.Memory{})
	c.prompt("hi")
	c.end()
	require.True(t, aisdk.New(aisdk.Config{}).Info().Fork, "otherwise the user is told that the agent forgot the conversation")
	next := open(t, serve(t, say("x")), agent.Memory{State: c.state, ForkOf: "s0"})
	next.turns = 1
	next.prompt("on")
	next.end()
	require.JSONEq(t, `[`+user1+`,{"id":"m1","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"Hello","state":"done"}]},`+user2+`]`, next.messages(t, 0))
}

func TestASessionWithoutStateContinuesWithItsTexts(t *testing.T) {
	for _, state := range []string{"", `"a key"`, `{"messages":7}`, `{}`} {
		c := open(t, serve(t, say("x")), agent.Memory{State: agent.Raw(state), History: []agent.Message{{Role: agent.RoleUser, Text: "a"}, {Role: agent.RoleAgent, Text: "b"}}})
		c.prompt("hi")
		c.end()
		require.JSONEq(t, `[{"id":"history-0","role":"user","parts":[{"type":"text","text":"a"}]},{"id":"history-1","role":"assistant","parts":[{"type":"text","text":"b"}]},`+user1+`]`, c.messages(t, 0))
	}
}

// The oldest messages are dropped, and the first one left is the user's.
func TestTheStateHasALimit(t *testing.T) {
	var streams []string
	for i := range 4 {
		streams = append(streams, say(fmt.Sprint(i, strings.Repeat("x", agent.MaxState*2/5))))
	}
	c := open(t, serve(t, streams...), agent.Memory{})
	for range streams {
		c.prompt("hi")
		c.end()
		require.LessOrEqual(t, len(c.state), agent.MaxState)
	}
	require.True(t, strings.HasPrefix(string(c.state), `{"messages":[{"id":"t3",`), "%.60s", c.state)
}

func TestFailuresEndTheTurn(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   string
	}{
		"an error":         {events(start, `{"type":"error","errorText":"The model is down"}`, finish), "error  The model is down"},
		"a cut-off stream": {events(start, step), "error agent_cut_off the stream of URL/api/chat ended before the run did. See the server's log; the next prompt continues the same conversation"},
		"an abort":         {events(start, `{"type":"abort"}`), "done cancelled"},
		"no stream":        {"", "error agent_cut_off the stream of URL/api/chat ended before the run did (it sent nothing). See the server's log; the next prompt continues the same conversation"},
		"a long message": {
			strings.Repeat(events(`{"type":"text-delta","id":"0","delta":"`+strings.Repeat("x", 1<<20)+`"}`), 33) + events(finish),
			"error agent_failed the agent's message is too long to continue the conversation with it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, serve(t, c.stream, say("on")), agent.Memory{})
			s.prompt("hi")
			said := s.end()
			require.Equal(t, c.want, strings.ReplaceAll(said[len(said)-1], s.URL, "URL"))
			s.prompt("on")
			require.Contains(t, s.end(), "on", "the conversation goes on")
		})
	}
}

func TestARefusedRequestSaysWhy(t *testing.T) {
	c := open(t, serve(t), agent.Memory{})
	c.prompt("hi")
	require.Contains(t, strings.Join(c.end(), ""), "the messages are wrong")
}

func TestTheRouteIsThatOfTheURL(t *testing.T) {
	f := serve(t, say("x"))
	a := aisdk.New(aisdk.Config{Remote: httpsse.Config{BaseURL: f.URL + "/my/route"}})
	s, err := a.Open(t.Context(), agent.Options{SessionID: "s1"})
	require.NoError(t, err)
	require.NoError(t, s.Prompt(agent.Prompt{SessionID: "s1", TurnID: "t1"}))
	for b := range s.Events() {
		over := false
		for e := range b.Events() {
			over = over || e.Type() == "done"
		}
		b.Release()
		if over {
			break
		}
	}
	require.NoError(t, s.Close(t.Context()))
	require.Equal(t, []string{"/my/route"}, f.paths)
	_, err = aisdk.New(aisdk.Config{Remote: httpsse.Config{BaseURL: "ftp://x"}}).Open(t.Context(), agent.Options{})
	require.Error(t, err)
}
