package ethos_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
)

// received returns the calls to the server so far.
func (s *server) received() (all []string) {
	for len(s.calls) > 0 {
		all = append(all, <-s.calls)
	}
	return all
}

func (c *conversation) confirm(id string, d agent.Decision) { c.Decide(id, "c1", d) }

// signedIn returns a server's configuration that allows answers to questions.
func signedIn(s *server) ethos.WebConfig {
	config := s.config("")
	config.Remote.Header = http.Header{"Cookie": {"ethos_auth=" + goodCookie}}
	return config
}

func TestWebApprovalsOfOneCallAreAnsweredSeparately(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "twice")
	for _, id := range []string{"a2", "a1"} {
		_, e := c.until("tool_confirmation_request")
		require.Equal(t, id, e.(*agent.ConfirmationRequested).ConfirmationID)
	}
	c.confirm("a2", agent.AllowOnce)
	c.confirm("a1", agent.RejectOnce)
	_, end := c.done()
	require.Equal(t, "deny a1 the user refused, approve a2 once", end.Text)
}

func TestWebNothingIsPermittedAfterACancel(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "clean")
	c.until("tool_confirmation_request")
	c.cancel("t1")
	c.confirm("a1", agent.AllowAlways)
	_, end := c.done()
	require.Equal(t, agent.StopCancelled, end.StopReason)
	c.prompt("t2", "hi")
	c.done()
	require.Equal(t, []string{"send clean asker 0", "deny a1 cancelled before a decision", "abort", "send hi asker 0"}, s.received())
}

func TestWebNoAnswerIsGivenAfterACancel(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(signedIn(s)))
	c.prompt("t1", "clarify")
	c.until("question")
	c.cancel("t1")
	c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: "q1", Answer: "red"})
	c.done()
	c.prompt("t2", "hi")
	c.done()
	require.Equal(t, []string{"send clarify asker 0", "respond q1 cancel ", "abort", "send hi asker 0"}, s.received())
}

func TestWebCancelRefusesAnswersQueuedBehindASlowOne(t *testing.T) {
	s := serve(t)
	s.stuck = make(chan struct{})
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "twice")
	c.until("tool_confirmation_request")
	c.until("tool_confirmation_request")
	c.confirm("a1", agent.AllowOnce)
	requireCalls(t, s, "send twice asker 0", "approve a1 once")
	c.confirm("a2", agent.AllowOnce)
	c.cancel("t1")
	// The server may have executed the first one, whose response has not
	// arrived.
	requireCalls(t, s, "deny a2 cancelled before a decision", "deny a1 cancelled before a decision", "abort")
	close(s.stuck)
	c.done()
	require.Empty(t, s.received())
}

func TestWebRefusesRequestsOfACancelledTurn(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "silent")
	c.until("text_delta")
	c.cancel("t1")
	requireCalls(t, s, "send silent asker 0", "abort")
	s.say(fmt.Sprintf(approvalEvent, "a8"))
	requireCalls(t, s, "deny a8 cancelled before a decision")
	s.say(`{"type":"text_delta","text":"two"}`)
	c.until("text_delta")
	c.Abandon("t1")
	requireCalls(t, s, "abort")
	s.say(fmt.Sprintf(approvalEvent, "a9"))
	c.prompt("t2", "hi")
	requireCalls(t, s, "send hi asker 0", "deny a9 cancelled before a decision")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestWebDecidedRequestsCannotBeAllowedLater(t *testing.T) {
	s := serve(t)
	s.failing = true
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "clean")
	c.until("tool_confirmation_request")
	for _, first := range []agent.Decision{agent.RejectOnce, agent.AllowOnce} {
		c.confirm("a1", first)
	}
	require.False(t, *c.failure().Fatal)
	s.mu.Lock()
	s.failing = false
	s.mu.Unlock()
	c.confirm("a1", agent.AllowOnce)
	c.cancel("t1")
	c.done()
	c.prompt("t2", "hi")
	c.done()
	got := s.received()
	// Either the cancel refuses it, or the permission that the cancel turned into a refusal.
	require.Contains(t, []string{"deny a1 cancelled before a decision", "deny a1 the turn was cancelled"}, got[2])
	require.Equal(t, []string{"send clean asker 0", "deny a1 the user refused", "abort", "send hi asker 0"}, slices.Delete(got, 2, 3))
}

// requestCases returns events with which Ethos requests something, with their ids, and whether
// Ethos can receive an answer.
func requestCases() map[string]struct {
	event string
	calls []string
} {
	approval := func(members string) string {
		return `{"type":"tool.approval_required","request":{"approvalId":"a9","sessionId":"s/1",` + members + `}}`
	}
	whole := approval(`"toolCallId":"c1","toolName":"terminal","args":{}`)
	type ask = struct {
		event string
		calls []string
	}
	approved, answered := []string{"approve a9 once"}, []string{"respond q9 user red"}
	return map[string]ask{
		"nested 20,000 deep": {approval(`"toolCallId":"c1","toolName":"terminal","args":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)), approved},
		"wrong types":        {approval(`"toolCallId":7,"toolName":["terminal"],"args":"x","reason":{}`), approved},
		"no call":            {approval(`"args":null`), approved},
		"not UTF-8":          {approval("\"toolCallId\":\"c\xff1\",\"toolName\":\"\xfe\",\"args\":{\"x\":\"\xff\"}"), approved},
		"twice the same":     {whole + "\n\ndata: " + whole, approved},
		"too long":           {approval(`"toolCallId":"c1","args":{"x":"` + strings.Repeat("x", 33<<20) + `"}`), []string{"deny a9 the request is too long to be shown"}},
		"no id":              {`{"type":"tool.approval_required","request":{"toolCallId":"c1"}}`, nil},
		"an id of a number":  {`{"type":"tool.approval_required","request":{"approvalId":9,"toolCallId":"c1"}}`, nil},
		"a question with wrong types": {
			`{"type":"clarify.request","requestId":"q9","question":["?"],"options":["red",7,{}],"default":7,"defaultDeadlineAt":0}`, answered,
		},
		"options that are none":   {`{"type":"clarify.request","requestId":"q9","question":"?","options":"red"}`, answered},
		"a question twice":        {`{"type":"clarify.request","requestId":"q9","question":"?"}` + "\n\ndata: " + `{"type":"clarify.request","requestId":"q9","question":"?"}`, answered},
		"a question, 20,000 deep": {`{"type":"clarify.request","requestId":"q9","question":"?","options":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, answered},
		"a question too long": {
			`{"type":"clarify.request","requestId":"q9","question":"` + strings.Repeat("x", 33<<20) + `"}`, []string{"respond q9 cancel "},
		},
	}
}

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	for name, c := range requestCases() {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			conv := open(t, ethos.NewWeb(signedIn(s)))
			id := ""
			if len(c.calls) > 0 {
				id = strings.Fields(c.calls[0])[1]
			}
			s.raw = c.event
			conv.prompt("t1", "raw "+id)
			conv.answersAll()
			heard := slices.DeleteFunc(s.received(), func(call string) bool { return strings.HasPrefix(call, "send") || call == "abort" })
			require.Equal(t, fmt.Sprint(c.calls), fmt.Sprint(heard))
		})
	}
}

// answersAll answers all requests until the turn ends.
func (c *conversation) answersAll() {
	c.T.Helper()
	c.UntilEnd(func(e agent.Event) {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			require.True(c.T, json.Valid(e.Args) || e.Args == nil)
			c.Decide(e.ConfirmationID, e.ToolCallID, agent.AllowOnce)
		case *agent.QuestionAsked:
			c.Answer(agent.QuestionResponse{TurnID: "t1", QuestionID: e.QuestionID, Answer: "red"})
		}
	})
}
