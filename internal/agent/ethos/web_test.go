package ethos_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

func (c *conversation) decide(d agent.Decision) { c.Decide("", "c1", d) }

func TestWebTurns(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn, "hi "+turn)
		text, end := c.done()
		require.Equal(t, "Hello.", text)
		require.Equal(t, turn, end.TurnID)
	}
	require.Equal(t, []string{"", "5"}, s.lastIDs(), "the second turn goes on after the first")
	requireCalls(t, s, "send hi t1 asker 0", "send hi t2 asker 0")
}

func TestWebSendsImages(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	require.NoError(t, c.Prompt(agent.Prompt{TurnID: "t1", Text: "hi", Blocks: []agent.Content{
		{Type: "text", Text: "hi"}, {Type: "image", Data: "aGk=", MIMEType: "image/png"},
	}}))
	c.done()
	requireCalls(t, s, "send hi asker 1")
}

func TestWebApprovals(t *testing.T) {
	for decision, want := range map[agent.Decision]string{
		agent.AllowOnce:    "approve a1 once",
		agent.AllowAlways:  "approve a1 exact-args",
		agent.RejectOnce:   "deny a1 the user refused",
		agent.RejectAlways: "deny a1 the user refused",
		agent.NotDecided:   "deny a1 cancelled before a decision",
		"allow_everything": "deny a1 the user refused",
	} {
		t.Run(string(decision), func(t *testing.T) {
			s := serve(t)
			c := open(t, ethos.NewWeb(s.config(goodKey)))
			c.prompt("t1", "clean")
			_, e := c.until("tool_confirmation_request")
			require.Equal(t, []agent.ConfirmationOption{
				{ID: "once", Name: "Allow once", Kind: agent.AllowOnce},
				{ID: "exact-args", Name: "Always allow exactly this, in all sessions", Kind: agent.AllowAlways},
				{ID: "any-args", Name: "Always allow terminal with any arguments, in all sessions", Kind: agent.AllowAlways},
				{ID: "reject", Name: "Reject", Kind: agent.RejectOnce},
			}, e.(*agent.ConfirmationRequested).Options)
			c.decide(decision)
			c.decide(agent.AllowOnce) // a second answer has no effect
			_, end := c.done()
			require.Equal(t, want, end.Text)
			requireCalls(t, s, "send clean asker 0", want)
		})
	}
}

func TestWebApprovalsHaveTheChosenScope(t *testing.T) {
	for option, c := range map[string]struct {
		decision agent.Decision
		want     string
	}{
		"once":       {agent.AllowOnce, "approve a1 once"},
		"exact-args": {agent.AllowAlways, "approve a1 exact-args"},
		"any-args":   {agent.AllowAlways, "approve a1 any-args"},
		"reject":     {agent.RejectOnce, "deny a1 the user refused"},
		"ANY-ARGS":   {agent.AllowAlways, "approve a1 exact-args"},
	} {
		t.Run(option, func(t *testing.T) {
			s := serve(t)
			conv := open(t, ethos.NewWeb(s.config(goodKey)))
			conv.prompt("t1", "clean")
			conv.until("tool_confirmation_request")
			conv.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: "a1", ToolCallID: "c1", Decision: c.decision, OptionID: option})
			conv.done()
			requireCalls(t, s, "send clean asker 0", c.want)
		})
	}
	s := serve(t)
	conv := open(t, ethos.NewWeb(s.config(goodKey)))
	conv.prompt("t1", "clean")
	conv.until("tool_confirmation_request")
	conv.Confirm(agent.ConfirmationResponse{TurnID: "t1", ConfirmationID: "a1", ToolCallID: "c1", Decision: agent.RejectOnce, OptionID: "any-args"})
	conv.done()
	requireCalls(t, s, "send clean asker 0", "deny a1 the user refused")
}

func TestWebPersonalitiesAreModes(t *testing.T) {
	s := serve(t)
	config := s.config(goodKey)
	config.Personality = ""
	c := open(t, ethos.NewWeb(config))
	_, e := c.until("mode_changed")
	require.Equal(t, &agent.ModeChanged{ModeID: "maker", Available: []agent.Choice{
		{ID: "asker", Name: "Asker"}, {ID: "maker", Name: "Maker", Description: "Makes it."},
	}}, e)
	require.NoError(t, c.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen("asker")}))
	_, e = c.until("mode_changed")
	require.Equal(t, "asker", e.(*agent.ModeChanged).ModeID)
	c.prompt("t1", "hi")
	c.done()
	requireCalls(t, s, "send hi asker 0")
	require.NoError(t, c.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen("maker")}))
	_, e = c.until("option_refused")
	require.Contains(t, e.(*agent.OptionRefused).Error, "before the first prompt")
	c.prompt("t2", "hi")
	c.done()
	requireCalls(t, s, "send hi asker 0")
}

func TestWebSignsInWithAnyURLThatEthosPrints(t *testing.T) {
	for _, path := range []string{"/?t=", "?t=", "/auth/exchange?t=", "/auth/exchange/?t="} {
		s := serve(t)
		config := s.config("")
		config.Remote.Header, config.Remote.BaseURL = nil, s.URL+path+goodToken
		c := open(t, ethos.NewWeb(config))
		c.prompt("t1", "hi")
		c.done()
		requireCalls(t, s, "send hi asker 0")
	}
}

func TestWebApprovalsGivenInAnotherWindowCount(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "wait")
	c.until("text_delta")
	s.say(`{"type":"tool.approval_required","request":{"approvalId":"a9","sessionId":"s/1","toolCallId":"c1","toolName":"terminal","args":{},"reason":null}}`)
	c.until("tool_confirmation_request")
	c.decide(agent.AllowOnce) // the server does not wait for it any more
	requireCalls(t, s, "send wait asker 0", "approve a9 once")
	s.stop <- struct{}{}
	text, _ := c.done()
	require.Empty(t, text, "that is no error for the user")
}

func TestWebApprovalsOfAnotherConversationAreNotAsked(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "wait")
	c.until("text_delta")
	s.say(`{"type":"tool.approval_required","request":{"approvalId":"a9","sessionId":"s/2","toolCallId":"c1","toolName":"terminal","args":{},"reason":null}}`)
	s.stop <- struct{}{}
	c.done()
	requireCalls(t, s, "send wait asker 0")
	require.Empty(t, s.calls)
}

func TestWebPermitsNothingIfTwoCallsHaveTheSameID(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "twice")
	c.until("tool_confirmation_request")
	c.until("tool_confirmation_request")
	c.decide(agent.AllowOnce)
	_, end := c.done()
	require.Contains(t, end.Text, "deny a1 two pending calls")
	require.Contains(t, end.Text, "deny a2 two pending calls")
}

func TestWebCancelDeniesWhatIsPending(t *testing.T) {
	for prompt, want := range map[string]string{
		"clean":   "deny a1 cancelled before a decision",
		"clarify": "respond q1 cancel ",
	} {
		t.Run(prompt, func(t *testing.T) {
			s := serve(t)
			config := s.config("")
			config.Remote.Header = http.Header{"Cookie": {"ethos_auth=" + goodCookie}}
			c := open(t, ethos.NewWeb(config))
			c.prompt("t1", prompt)
			c.until(map[string]string{"clean": "tool_confirmation_request", "clarify": "question"}[prompt])
			c.cancel("t1")
			_, end := c.done()
			require.Equal(t, agent.StopCancelled, end.StopReason)
			requireCalls(t, s, "send "+prompt+" asker 0", want, "abort")
			c.prompt("t2", "hi")
			_, end = c.done()
			require.Empty(t, end.StopReason)
		})
	}
}

func TestWebCancel(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "wait")
	c.until("text_delta")
	c.cancel("t1")
	_, end := c.done()
	require.Equal(t, agent.StopCancelled, end.StopReason)
	requireCalls(t, s, "send wait asker 0", "abort")
}

func TestWebAbandonedTurnsDoNotReachTheNext(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "silent")
	c.until("text_delta")
	c.cancel("t1")
	requireCalls(t, s, "send silent asker 0", "abort")
	c.Abandon("t1")
	requireCalls(t, s, "abort") // again, at the end
	s.say(`{"type":"text_delta","text":"too late"}`, `{"type":"done","text":"one too late","turnCount":1,"traceId":"silent"}`)
	c.prompt("t2", "hi")
	text, end := c.done()
	require.Equal(t, "Hello.", text)
	require.Equal(t, "t2", end.TurnID)
}

func TestWebMessagesThatWereNotAnsweredAreAborted(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "hi")
	c.done()
	c.prompt("t2", "unanswered")
	requireCalls(t, s, "send hi asker 0", "send unanswered asker 0")
	c.Abandon("t2")
	requireCalls(t, s, "abort") // because it may have arrived
	c.prompt("t3", "hi")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestWebDoneAfterAnErrorDoesNotEndTheNextTurn(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "refused")
	require.Equal(t, "BUDGET_EXCEEDED", c.failure().Code)
	c.prompt("t2", "hi")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestWebHandBacksDoNotEndTheTurn(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "hi")
	c.done()
	s.say(`{"type":"text_delta","text":"The run has finished. "}`, `{"type":"done","text":"The run has finished. ","turnCount":0}`)
	c.prompt("t2", "hi")
	text, _ := c.done()
	require.Equal(t, "The run has finished. Hello.", text)
}

func TestWebEmptyTurnsAreExplained(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "unsaid")
	_, e := c.until("notice")
	require.Contains(t, e.(*agent.Notice).Message, "credential")
	c.done()
}

func TestWebQuestions(t *testing.T) {
	s := serve(t)
	config := s.config("")
	config.Remote.Header = nil
	config.Remote.BaseURL += "/?t=" + goodToken
	a := ethos.NewWeb(config)
	for range 2 { // the token can be used once, but the agent repeatedly
		c := open(t, a)
		c.prompt("t1", "clarify")
		_, e := c.until("question")
		require.Equal(t, []string{"red", "blue"}, e.(*agent.QuestionAsked).Options)
		c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q1", Answer: "blue"})
		c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q1", Answer: "red"})
		_, end := c.done()
		require.Equal(t, "respond q1 user blue", end.Text)
	}
}

func TestWebQuestionsCannotBeAnsweredWithAKey(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "clarify")
	c.until("question")
	c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q1", Answer: "blue"})
	e := c.failure()
	require.False(t, *e.Fatal)
	require.Contains(t, e.Error, "web UI")
}

func TestWebForgottenConversationsRestart(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "hi")
	c.done()
	s.mu.Lock()
	s.gone, s.events = true, nil
	s.mu.Unlock()
	c.prompt("t2", "hi")
	_, e := c.until("notice")
	require.Contains(t, e.(*agent.Notice).Message, "A new one")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestWebCloseDeniesPendingApprovals(t *testing.T) {
	s := serve(t)
	a := ethos.NewWeb(s.config(goodKey))
	c := &conversation{agenttest.Open(t, a, agent.Options{SessionID: "s1"}, spoken)}
	c.prompt("t1", "clean")
	c.until("tool_confirmation_request")
	require.NoError(t, c.Close(t.Context()))
	requireCalls(t, s, "send clean asker 0", "deny a1 cancelled before a decision", "abort")
}
